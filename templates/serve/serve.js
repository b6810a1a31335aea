// Search as one types, and keys. Everything else works without this script.
(() => {
"use strict";
const at = (id) => document.getElementById(id);
const box = at("query");
const panel = at("found");
const results = at("results");
const shown = results ?? panel;
let asking = null;
let asked = box.value.trim();

/** Asks the server for the rows; the last question wins. */
async function follow() {
  const query = box.value.trim();
  if (query === asked) return;
  asked = query;
  asking?.abort();
  asking = new AbortController();
  if (results) history.replaceState(null, "", query ? `/search?q=${encodeURIComponent(query)}` : "/search");
  if (!query) return show("", "");
  try {
    const answer = await fetch(`/search?part=1&q=${encodeURIComponent(query)}`, { signal: asking.signal });
    // The server words its reasons in plain text; only pages are markup.
    if (!answer.ok) return say(answer.status === 401 ? "this page is no longer served: open the new address" : "the search failed");
    show(await answer.text(), query);
  } catch (error) {
    if (error.name !== "AbortError") say("the server has ended: start `repoidx serve` again");
  }
}

function show(rows, query) {
  // The server escaped every text, and the policy of the page runs nothing of it.
  shown.innerHTML = rows;
  panel.hidden = Boolean(results) || !query;
  at("hint")?.remove();
  const number = shown.querySelectorAll(".hits a").length;
  at("count").value = query ? `${number} found` : "";
}

function say(words) {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = words;
  shown.replaceChildren(note);
  panel.hidden = Boolean(results);
}

function links() { return [...shown.querySelectorAll(".hits a")]; }

function move(event, step) {
  const all = links();
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  const to = here + step;
  event.preventDefault();
  if (to < 0) box.focus();
  else all[Math.min(to, all.length - 1)].focus();
}

box.addEventListener("input", follow);
box.addEventListener("focus", () => { if (!results && asked && panel.firstChild) panel.hidden = false; });
document.addEventListener("click", (event) => { if (!at("search").contains(event.target)) panel.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches("input, textarea, select");
  const isInSearch = event.target === box || links().includes(event.target);
  if (event.key === "/" && !isTyping) { event.preventDefault(); box.focus(); box.select(); }
  else if (event.key === "?" && !isTyping && at("question")) { event.preventDefault(); at("question").focus(); }
  else if (event.key === "ArrowDown" && isInSearch) move(event, 1);
  else if (event.key === "ArrowUp" && isInSearch && event.target !== box) move(event, -1);
  else if (event.key === "Escape" && isInSearch) { event.preventDefault(); panel.hidden = true; box.focus(); }
});
// Back leads to the words that stood there.
addEventListener("pageshow", () => { if (box.value.trim() !== asked) follow(); });
})();
