"use strict";
// Draws the graph in #data: a list, a picture (a tree by distance) and the evidence of the selected node. Text from the
// repository becomes text nodes and attributes, never markup.
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, steps, findings, groups, sources, links, texts } = data;
// Texts that many have are sent once, and what can be worked out is not sent.
for (const step of steps) for (const part of ["path", "kind", "evidence", "basis"]) step[part] = texts[step[part]];
for (const node of nodes) {
  for (const part of ["path", "kind", "evidence", "tone"]) node[part] = texts[node[part]];
  node.label ??= node.name.split(".").slice(-2).join(".");
  node.is_test ??= false;
  node.group ??= null;
  node.parent ??= null;
  node.chain ??= [];
  node.findings ??= [];
  if (Array.isArray(node.defined)) node.defined = { path: texts[node.defined[0]], line: node.defined[1] };
  else if (node.defined !== undefined) node.defined = { path: node.path, line: node.defined };
}
for (const node of nodes) {
  const step = steps[node.chain[0]];
  node.note ??= step ? `${step.kind} ${nodes[step.to].label}` : "";
}
const at = (id) => document.getElementById(id);
const TONES = { breaks: "breaks", may_break: "may break", differs: "may behave differently", spared: "not affected" };
const EVIDENCE = { exact: "exact", inferred: "inferred", possible: "only a name fits" };
/** Rows of the list, of which the first are built at once and then some at a time; cards of the picture in all, of direct dependents and of another column at first; what a click adds. */
const ROWS = 2000, FIRST_ROWS = 150, ROWS_AT_ONCE = 200;
const DRAWN = 3000, FIRST_DIRECT = 400, ROWS_OF_COLUMN = 60, MORE = 200;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const percent = (probability) => `${Math.round(probability * 100)}%`;
const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const isChanged = (node) => node.group === 0;
const toneOf = (node) => (isChanged(node) ? "changed" : node.tone || "spared");
const folderOf = (node) => node.path.replace(/[^/]*$/, "").replace(/\/$/, "");
const likelihood = (p) =>
  `${p >= 0.95 ? "almost certain" : p >= 0.8 ? "very likely" : p >= 0.6 ? "likely" : p >= 0.35 ? "maybe" : "unlikely"} ${percent(p)}`;

/** A sentence with its names between backticks as code. */
const worded = (text) => text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));

// The children of each node. Nodes are ordered by probability, so children come sorted.
const children = nodes.map(() => []);
nodes.forEach((node, index) => { if (node.parent !== null) children[node.parent].push(index); });
const below = nodes.map(() => 0);
const column = nodes.map(() => 0);
(function measure() {
  const order = nodes.map((_, index) => index).filter((index) => nodes[index].parent === null);
  // A step whose own way is not on the page stands before those that hang on it.
  for (const index of order) {
    if (!isChanged(nodes[index])) column[index] = Math.max(1, Math.min(...children[index].map((child) => nodes[child].distance)) - 1);
  }
  for (let i = 0; i < order.length; i++) {
    for (const child of children[order[i]]) {
      column[child] = Math.max(nodes[child].distance, column[order[i]] + 1);
      order.push(child);
    }
  }
  for (const index of order.reverse()) {
    const listed = nodes[index].group === null ? 0 : 1;
    if (nodes[index].parent !== null) below[nodes[index].parent] += below[index] + listed;
  }
})();

const state = {
  query: "", least: 0, tests: "all", folder: "", tones: new Set(Object.keys(TONES)), evidence: new Set(Object.keys(EVIDENCE)),
  selected: null, open: new Set(), more: new Map(), all: false,
};
if (nodes.some((node) => node.tone === "breaks" || node.tone === "may_break")) state.tones.delete("spared");

const haystack = nodes.map((node) =>
  [node.name, node.path, node.note, ...node.findings.map((index) => findings[index].reason)].join("\n").toLowerCase());

/** Whether a node passes the filters. Changed nodes do unless a search excludes them. */
function fits(index) {
  const node = nodes[index];
  if (state.query && !state.query.split(/\s+/).every((word) => haystack[index].includes(word))) return false;
  if (isChanged(node)) return true;
  return node.probability * 100 >= state.least
    && (state.tests === "all" || (state.tests === "tests") === node.is_test)
    && (state.folder === "" || `${folderOf(node)}/`.startsWith(`${state.folder}/`))
    && (!node.tone || state.tones.has(node.tone))
    && state.evidence.has(node.evidence);
}

// ---------------------------------------------------------------------------------------------------------- places

function address(path, line) {
  if (!links.pattern || path.startsWith("\"")) return null;
  const encoded = (text) => text.split("/").map(encodeURIComponent).join("/");
  const root = links.root.startsWith("/") || !links.root ? links.root : `/${links.root}`;
  return links.pattern
    .replaceAll("{path}", encoded(`${root}/${path}`).replace(/%3A/g, ":"))
    .replaceAll("{relative}", encoded(path))
    .replaceAll("{line}", line);
}

function place(path, line) {
  const text = `${path}:${line}`;
  const href = address(path, line);
  return href === null
    ? element("span", { class: "place" }, text)
    : element("a", { class: "place", href, title: "Open in the editor", rel: "noopener" }, text);
}

const WORDS = new RegExp([
  /(#.*)/, /((?:\b[rbfuRBFU]{1,2})?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))/,
  /\b(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b/,
  /\b(\d[\w.]*)\b/,
].map((part) => part.source).join("|"), "g");

/** Colors Python word by word, so a string that began above the excerpt is not recognized. */
function colored(text) {
  const parts = [];
  let from = 0;
  let isName = false;
  const plain = (end) => {
    if (end <= from) return;
    const rest = text.slice(from, end);
    const name = isName ? /^(\s+)(\w+)/.exec(rest) : null;
    if (name) parts.push(name[1], element("span", { class: "d" }, name[2]), rest.slice(name[0].length));
    else parts.push(rest);
  };
  for (const match of text.matchAll(WORDS)) {
    plain(match.index);
    const kind = ["c", "s", "k", "n"][match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(element("span", { class: kind }, match[0]));
    isName = match[0] === "def" || match[0] === "class";
    from = match.index + match[0].length;
  }
  plain(text.length);
  return parts;
}

function excerpt(path, line) {
  const known = sources[`${path}:${line}`];
  if (!known) return null;
  const shown = known.text.split("\n");
  const indent = Math.min(...shown.filter((text) => text.trim()).map((text) => /^[ \t]*/.exec(text)[0].length));
  const lines = shown.map((text, index) => {
    const number = known.start + index;
    return element("span", { class: number === line ? "line hit" : "line" },
      element("span", { class: "number", "aria-hidden": "true" }, String(number)), ...colored(text.slice(indent)));
  });
  return element("pre", { tabindex: "0", "aria-label": `Source at ${path}:${line}` }, element("code", {}, ...lines));
}

// ------------------------------------------------------------------------------------------------------------ list

function row(index) {
  const node = nodes[index];
  const isModule = node.kind === "module";
  return element("li", {}, element("button", {
    type: "button", class: `row ${toneOf(node)}`, "data-node": index, tabindex: "-1", title: node.name,
    "aria-current": String(state.selected === index), onclick: () => select(index, "list"),
  },
    element("span", { class: "name" }, node.label, node.is_test ? element("span", { class: "tag" }, "test") : null,
      isModule && !isChanged(node) ? element("span", { class: "tag" }, "module level") : null),
    element("span", { class: "percent" }, isChanged(node) ? node.kind : percent(node.probability)),
    element("span", { class: "note" }, `${node.path}:${node.line}  ${node.note}`)));
}

/** Lists with the rows that they still lack. */
let unbuilt = [];
let isBuilding = false;

/** Builds the next rows. */
function build(most) {
  while (most > 0 && unbuilt.length) {
    const { list, rows } = unbuilt[0];
    const some = rows.splice(0, most);
    list.append(...some.map(row));
    most -= some.length;
    if (!rows.length) unbuilt.shift();
  }
}

/** Builds all rows, but leaves the browser time to draw and to listen. */
function buildLater() {
  if (isBuilding || !unbuilt.length) return;
  isBuilding = true;
  setTimeout(() => {
    isBuilding = false;
    build(ROWS_AT_ONCE);
    buildLater();
  });
}

function drawList() {
  const list = at("list");
  const top = list.scrollTop;
  const parts = [];
  unbuilt = [];
  let all = 0, shown = 0, rows = 0;
  // With many changes, readers want the effects first.
  const changes = nodes.filter(isChanged).length;
  const order = groups.map((_, group) => group);
  if (changes > 8) order.push(order.shift());
  for (const group of order) {
    const title = groups[group];
    const members = nodes.map((_, index) => index).filter((index) => nodes[index].group === group);
    const kept = members.filter(fits);
    if (group > 0) { all += members.length; shown += kept.length; }
    const room = kept.slice(0, Math.max(0, ROWS - rows));
    const now = room.slice(0, Math.max(0, FIRST_ROWS - rows));
    rows += room.length;
    if (!members.length) continue;
    const number = kept.length === members.length ? `${kept.length}` : `${kept.length} of ${members.length}`;
    parts.push(element("h2", {}, title, element("span", {}, number)));
    const made = element("ul", {}, ...now.map(row));
    if (room.length) parts.push(made);
    if (room.length > now.length) unbuilt.push({ list: made, rows: room.slice(now.length) });
    if (room.length < kept.length) parts.push(element("p", { class: "cut" }, `${kept.length - room.length} more: narrow the filters`));
  }
  if (!nodes.length) parts.push(element("p", { class: "none" }, "Nothing that others can use is changed."));
  for (const note of data.notes) {
    const copy = note.command
      ? element("button", { type: "button", class: "copy", onclick: (event) => copyAll(event.target, note) }, "copy for pytest") : null;
    parts.push(element("h2", {}, `${note.title} (${note.lines.length})`, copy ?? ""),
      element("div", { class: "plain", tabindex: "0" }, note.lines.join("\n")));
  }
  for (const sentence of data.cut) parts.push(element("p", { class: "cut" }, sentence));
  list.replaceChildren(...parts);
  // A reader who is far down stays there.
  if (top > 0) build(ROWS);
  buildLater();
  const first = list.querySelector("[aria-current=true]") ?? list.querySelector(".row");
  if (first) first.tabIndex = 0;
  list.scrollTop = top;
  at("shown").textContent = all === shown ? `${all} affected` : `${shown} of ${all} shown`;
}

function copyAll(button, note) {
  const quoted = (text) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const area = element("textarea", { class: "hidden" });
  area.value = `${note.command} ${note.lines.map(quoted).join(" ")}`;
  document.body.append(area);
  area.select();
  // The clipboard's interface asks for permission in a local file; this way does not.
  button.textContent = document.execCommand("copy") ? "copied" : "not allowed here";
  area.remove();
  button.focus();
}

// --------------------------------------------------------------------------------------------------------- picture

/** The column of a node: changes, direct dependents, one for each further distance; all tests stand in the last one. */
const isTest = (index) => nodes[index].is_test && !isChanged(nodes[index]);
const last = Math.max(1, ...nodes.map((_, index) => (isTest(index) ? 0 : column[index])));
const TESTS = last + 1;
const columnOf = (index) => (isTest(index) ? TESTS : column[index]);
const titleOf = (number) => (number === 0 ? "Changes" : number === 1 ? "Direct" : number === TESTS ? "Tests" : `${number} steps`);
const keyOf = (index) => `${columnOf(index)} ${nodes[index].path}`;
/** A column with more nodes than this is folded into its files; direct dependents never are. */
const FOLDED = 12;

const members = Array.from({ length: TESTS + 1 }, () => []);
nodes.forEach((_, index) => members[columnOf(index)].push(index));
const isFolding = members.map((list, number) => number > 1 && list.length > FOLDED);

/** What stands for a node in the picture: its card, or the fold of its file. */
let standing = new Map();
let order = [];

function wayWord(index) {
  const step = steps[nodes[index].chain[0]];
  return step ? `${step.kind} ${nodes[step.to].label}` : nodes[index].note;
}

function card(index, isContext) {
  const node = nodes[index];
  const verdict = isChanged(node) ? "changed" : node.tone ? TONES[node.tone] : "passed through";
  const made = element("div", {
    class: `node card ${toneOf(node)}${node.is_test ? " test" : ""}${node.kind === "module" ? " module" : ""}${isContext ? " faded" : ""}`,
    "data-node": index, role: "treeitem", tabindex: "-1", "aria-level": columnOf(index) + 1,
    "aria-selected": String(state.selected === index), title: `${node.name}\n${node.path}:${node.line}\n${node.note}`,
  },
  element("span", { class: "label" }, node.label),
  node.group === null || isChanged(node) ? null : element("span", { class: "percent" }, percent(node.probability)),
  element("span", { class: "sub" }, isChanged(node) ? node.note || node.kind : wayWord(index)),
  // The colors and the line in words, for those who hear the page.
  element("span", { class: "hidden" }, `, ${verdict}, ${isChanged(node) ? node.kind : likelihood(node.probability)}${node.is_test ? ", test" : ""}`));
  standing.set(index, made);
  return made;
}

function fold(key, path, list) {
  const isOpen = state.open.has(key);
  const best = nodes[list[0]];
  const made = element("div", {
    class: `node fold ${best.tone || "spared"}`, "data-fold": key, role: "treeitem", tabindex: "-1", "aria-expanded": String(isOpen),
    "aria-level": columnOf(list[0]) + 1, "aria-selected": "false", title: path,
  },
  element("span", { class: "sign", "aria-hidden": "true" }, isOpen ? "−" : "+"),
  element("span", { class: "label-of-fold" }, path),
  element("span", { class: "percent" }, String(list.length)));
  if (!isOpen) for (const index of list) standing.set(index, made);
  return made;
}

function drawPicture() {
  standing = new Map();
  const kept = nodes.map((_, index) => fits(index));
  // A node that does not fit stays as context where one that fits hangs on it.
  const wanted = new Set();
  nodes.forEach((node, index) => {
    if (!kept[index] || (isChanged(node) && state.query)) return;
    for (let at_node = index; at_node !== null && !wanted.has(at_node); at_node = nodes[at_node].parent) wanted.add(at_node);
  });
  nodes.forEach((_, index) => { if (kept[index]) wanted.add(index); });
  if (state.selected !== null && (kept[state.selected] || !state.query)) {
    for (let node = state.selected; node !== null && !wanted.has(node); node = nodes[node].parent) wanted.add(node);
  }
  let room = DRAWN;
  const parts = members.map((list, number) => {
    const shown = list.filter((index) => wanted.has(index));
    if (!shown.length) return null;
    const cards = [];
    const most = number === 1 ? Math.max(FIRST_DIRECT, state.more.get(number) ?? 0) : state.more.get(number) ?? ROWS_OF_COLUMN;
    const put = (index) => { if (room > 0) { cards.push(card(index, !kept[index])); room--; } };
    if (isFolding[number] && shown.length > FOLDED && !state.all) {
      const files = new Map();
      for (const index of shown) {
        const key = keyOf(index);
        if (!files.has(key)) files.set(key, []);
        files.get(key).push(index);
      }
      const entries = [...files];
      for (const [key, own] of entries.slice(0, most)) {
        if (own.length === 1) { put(own[0]); continue; }
        cards.push(fold(key, nodes[own[0]].path, own));
        if (state.open.has(key)) own.forEach(put);
      }
      if (entries.length > most) cards.push(rest(number, entries.length - most, "file"));
    } else {
      shown.slice(0, most).forEach(put);
      if (shown.length > most) cards.push(rest(number, shown.length - most, ""));
    }
    const number_of = members[number].length === shown.length ? `${shown.length}` : `${shown.length} of ${members[number].length}`;
    return element("div", { class: "column", "data-column": number, role: "group", "aria-label": titleOf(number) },
      element("h3", { "aria-hidden": "true" }, titleOf(number), element("span", {}, number_of)), ...cards);
  });
  const graph = at("graph");
  const lines = drawn("svg", { id: "edges", "aria-hidden": "true" });
  graph.replaceChildren(lines, ...parts.filter((part) => part !== null));
  order = [...graph.querySelectorAll(".node")];
  const first = graph.querySelector("[aria-selected=true]") ?? order[0];
  if (first) first.tabIndex = 0;
  at("more").hidden = !isFolding.some((isIt) => isIt) && !state.all;
  at("more").textContent = state.all ? "Fold" : "Open all";
  drawEdges();
  light(null);
}

function rest(number, hidden, noun) {
  return element("div", {
    class: "node rest", "data-rest": number, role: "treeitem", tabindex: "-1", "aria-level": number + 1, "aria-selected": "false",
  }, `+ ${noun ? plural(hidden, noun) : hidden} more`);
}

/** Lines from each card or fold to what it depends on; equal ones once. The width of a line in pixels is fixed. */
let wires = [];
let drawnSize = "";
const sizeOf = (graph) => `${graph.clientWidth} ${graph.clientHeight}`;

function drawEdges() {
  const graph = at("graph");
  drawnSize = sizeOf(graph);
  const lines = document.getElementById("edges");
  const origin = graph.getBoundingClientRect();
  const boxes = new Map();
  const boxOf = (made) => {
    if (!boxes.has(made)) boxes.set(made, made.getBoundingClientRect());
    return boxes.get(made);
  };
  const seen = new Map();
  for (const [index, from] of standing) {
    const node = nodes[index];
    const to = node.parent === null ? null : standing.get(node.parent);
    const step = steps[node.chain[0]];
    const ends = [[to, step ? step.evidence : node.evidence], ...node.findings.map((found) => [standing.get(findings[found].changed), node.evidence])];
    for (const [end, evidence] of ends) {
      if (!end || end === from) continue;
      if (!seen.has(from)) seen.set(from, new Map());
      if (!seen.get(from).has(end)) seen.get(from).set(end, evidence);
    }
  }
  wires = [];
  const paths = [];
  for (const [from, ends] of seen) {
    for (const [to, evidence] of ends) {
      const [a, b] = [boxOf(from), boxOf(to)];
      const [x1, y1] = [a.left - origin.left, a.top - origin.top + Math.min(a.height / 2, 22)];
      const [x2, y2] = [b.right - origin.left, b.top - origin.top + Math.min(b.height / 2, 22)];
      const middle = Math.max(24, (x1 - x2) / 2);
      // A line behind other columns would only be noise: it shows when its way is lit.
      const isFar = x1 - x2 > a.width;
      const path = drawn("path", { class: `edge ${evidence}${isFar ? " far" : ""}`, d: `M${x1} ${y1}C${x1 - middle} ${y1} ${x2 + middle} ${y2} ${x2} ${y2}` });
      wires.push({ from, to, path });
      paths.push(path);
    }
  }
  lines.setAttribute("width", graph.scrollWidth);
  lines.setAttribute("height", graph.scrollHeight);
  lines.replaceChildren(...paths);
}

/** Lights the way from a node to the change; without one, that of the selected node. */
function light(index) {
  const graph = at("graph");
  const start = index ?? state.selected;
  const on = new Set();
  if (start !== null) {
    for (let node = start; node !== null; node = nodes[node].parent) {
      if (standing.has(node)) on.add(standing.get(node));
    }
    for (const found of nodes[start].findings) on.add(standing.get(findings[found].changed));
  }
  graph.classList.toggle("lighting", index !== null);
  for (const made of order) made.classList.toggle("on", on.has(made));
  for (const { from, to, path } of wires) {
    const isOn = on.has(from) && on.has(to);
    if (path.classList.toggle("on", isOn)) path.parentNode.append(path);
  }
}

function reveal(index) {
  standing.get(index)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// -------------------------------------------------------------------------------------------------------- evidence

/** The steps to the changed node; a chain may end at a place that breaks, and continues from there. */
function way(index) {
  const all = [...nodes[index].chain];
  const seen = new Set([index]);
  while (all.length) {
    const end = steps[all[all.length - 1]].to;
    if (isChanged(nodes[end]) || seen.has(end) || !nodes[end].chain.length) break;
    seen.add(end);
    all.push(...nodes[end].chain);
  }
  return all;
}

const jump = (index) => element("button", { type: "button", class: "link", onclick: () => select(index, "details") }, nodes[index].label);

function drawDetails() {
  const details = at("details");
  if (state.selected === null) {
    details.replaceChildren(element("p", { class: "none" }, "Choose something in the list or in the picture to read the evidence."));
    return;
  }
  const node = nodes[state.selected];
  const tone = toneOf(node);
  const verdict = isChanged(node) ? "changes" : node.tone ? TONES[node.tone] : null;
  const badges = element("div", { class: "badges" },
    verdict ? element("span", { class: `badge tone ${tone}` }, verdict) : null,
    isChanged(node) ? null : element("span", { class: "badge" }, likelihood(node.probability)),
    node.kind ? element("span", { class: "badge" }, node.kind === "module" ? "module level" : node.kind) : null,
    isChanged(node) ? null : element("span", { class: "badge" }, `evidence: ${EVIDENCE[node.evidence]}`),
    node.is_test ? element("span", { class: "badge" }, "test") : null);
  const parts = [element("h2", {}, node.name), badges, element("p", {}, place(node.path, node.line))];
  if (isChanged(node)) {
    if (node.note) parts.push(element("p", {}, ...worded(node.note)));
    const shown = excerpt(node.path, node.line);
    if (shown) parts.push(shown);
  }
  if (node.findings.length) {
    parts.push(element("h3", {}, node.findings.length === 1 ? "What happens there" : `What happens there (${node.findings.length})`));
    parts.push(element("ol", {}, ...node.findings.map((index) => finding(findings[index], state.selected))));
  }
  const steps_to_change = way(state.selected);
  if (steps_to_change.length && !(node.findings.length && steps_to_change.length === 1)) {
    parts.push(element("h3", {}, steps_to_change.length === 1 ? "Why" : `Why: ${steps_to_change.length} steps to the change`));
    let from = node.label;
    parts.push(element("ol", {}, ...steps_to_change.map((number) => {
      const step = steps[number];
      const item = element("li", { class: step.evidence },
        element("p", {}, element("span", { class: "mono" }, from), ` ${step.kind} `, jump(step.to)),
        element("p", { class: "by" }, step.basis), bothEnds(step));
      from = nodes[step.to].label;
      return item;
    })));
  }
  const hang = children[state.selected];
  if (hang.length) {
    parts.push(element("h3", {}, `Depends on it: ${hang.length} directly, ${below[state.selected]} in all`));
    parts.push(...hang.slice(0, 12).map((index) => element("p", {}, jump(index), ` ${percent(nodes[index].probability)}`)));
    if (hang.length > 12) parts.push(element("p", { class: "by" }, `and ${hang.length - 12} more, in the picture`));
  }
  details.replaceChildren(...parts);
  details.scrollTop = 0;
}

/** The place that depends, and beside it the definition that it depends on. */
function bothEnds(step) {
  const to = nodes[step.to];
  const end = (path, line) => element("div", {}, element("p", {}, place(path, line)), excerpt(path, line));
  const isKnown = to.defined && !(to.defined.path === step.path && to.defined.line === step.line);
  return element("div", { class: "ends" }, end(step.path, step.line), isKnown ? end(to.defined.path, to.defined.line) : null);
}

function finding(found, own) {
  const changed = nodes[found.changed];
  const source = excerpt(changed.path, changed.line);
  return element("li", { class: `found ${found.tone}` },
    element("p", {}, element("strong", {}, found.verdict), ": ", ...worded(found.reason)),
    element("p", { class: "by" }, place(found.path, found.line), found.probability === null ? "" : ` · ${likelihood(found.probability)}`,
      ...(found.changed === own ? [] : [" · ", jump(found.changed)])),
    element("div", { class: "ends" }, element("div", {}, excerpt(found.path, found.line)),
      source && found.changed !== own ? element("div", {}, source) : null));
}

// ------------------------------------------------------------------------------------------------------- selection

function select(index, from) {
  state.selected = index;
  for (let node = index; node !== null; node = nodes[node].parent) if (from !== "fold") state.open.add(keyOf(node));
  drawPicture();
  reveal(index);
  drawDetails();
  remember();
  if (unbuilt.some(({ rows }) => rows.includes(index))) build(ROWS);
  for (const button of document.querySelectorAll(".row")) {
    const isIt = Number(button.dataset.node) === index;
    if (button.getAttribute("aria-current") !== String(isIt)) button.setAttribute("aria-current", String(isIt));
    button.tabIndex = isIt ? 0 : -1;
    if (isIt && from !== "list") button.scrollIntoView({ block: "nearest" });
  }
  const first = at("list").querySelector(".row[tabindex='0']") ?? at("list").querySelector(".row");
  if (first) first.tabIndex = 0;
  if (from === "picture") focusNode(index);
  if (from === "details") at("details").focus();
}

function clear() {
  state.selected = null;
  refresh();
  drawDetails();
}

function refresh() {
  drawList();
  drawPicture();
  remember();
}

function focusNode(index) {
  standing.get(index)?.focus({ preventScroll: true });
}

/** Opens or folds a file of a column. */
function toggle(key) {
  if (!state.open.delete(key)) state.open.add(key);
  drawPicture();
  at("graph").querySelector(`[data-fold="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Shows more of a column. */
function unfold(made) {
  const number = Number(made.dataset.rest);
  const before = number === 1 ? FIRST_DIRECT : ROWS_OF_COLUMN;
  const position = order.indexOf(made);
  state.more.set(number, (state.more.get(number) ?? before) + MORE);
  drawPicture();
  order[position]?.focus({ preventScroll: true });
}

function activate(made) {
  if (made.dataset.rest !== undefined) unfold(made);
  else if (made.dataset.fold !== undefined) toggle(made.dataset.fold);
  else select(Number(made.dataset.node), "picture");
}

// ------------------------------------------------------------------------------------------------------------ keys

function inPicture(event) {
  const here = event.target.closest(".node");
  if (!here) return;
  const go = (made) => {
    if (!made) return;
    made.focus({ preventScroll: true });
    made.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const own = [...here.parentNode.querySelectorAll(".node")];
  const beside = (step) => own[own.indexOf(here) + step];
  const index = here.dataset.node === undefined ? null : Number(here.dataset.node);
  switch (event.key) {
    case "ArrowDown": go(beside(1)); break;
    case "ArrowUp": go(beside(-1)); break;
    case "Home": go(order[0]); break;
    case "End": go(order[order.length - 1]); break;
    case "ArrowLeft": {
      const parent = index === null ? null : nodes[index].parent;
      go(parent === null ? here.parentNode.previousElementSibling?.querySelector(".node") : standing.get(parent));
      break;
    }
    case "ArrowRight": {
      const child = index === null ? null : children[index].map((of) => standing.get(of)).find((made) => made);
      if (child) go(child);
      else if (index === null) here.parentNode.nextElementSibling && go(here.parentNode.nextElementSibling.querySelector(".node"));
      break;
    }
    case " ": activate(here); break;
    case "Enter":
      activate(here);
      if (index !== null) at("details").focus();
      break;
    default: return;
  }
  event.preventDefault();
}

function inList(event) {
  if (event.key === "End") build(ROWS);
  const rows = [...at("list").querySelectorAll(".row")];
  const here = rows.indexOf(document.activeElement);
  if (here < 0) return;
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  if (!rows[to]) return;
  rows[here].tabIndex = -1;
  rows[to].tabIndex = 0;
  rows[to].focus();
  select(Number(rows[to].dataset.node), "list");
}

function anywhere(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
  const isTyping = event.target.matches("input[type=search], select, textarea");
  if (event.key === "Escape") {
    if (isTyping && state.query === "") event.target.blur();
    else if (state.query !== "") { at("query").value = ""; state.query = ""; refresh(); at("query").blur(); }
    else if (state.selected !== null) clear();
    event.preventDefault();
    return;
  }
  if (isTyping) return;
  const keys = {
    "/": () => { at("query").focus(); at("query").select(); },
    "?": () => at("help").showModal(),
    "l": () => at("list").querySelector(".row[tabindex='0']")?.focus(),
    "p": () => at("graph").querySelector(".node[tabindex='0']")?.focus(),
    "e": () => at("details").focus(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

// --------------------------------------------------------------------------------------------------------- filters

function chip(name, value, words, mark, number, set) {
  const input = element("input", {
    type: "checkbox", name, value, checked: set.has(value),
    onchange: () => { if (input.checked) set.add(value); else set.delete(value); refresh(); },
  });
  return element("label", {}, input, element("span", { class: value }, mark, words, element("b", {}, String(number))));
}

function filters() {
  const listed = nodes.filter((node) => node.group !== null && node.group > 0);
  const count = (test) => listed.filter(test).length;
  const tones = Object.entries(TONES).filter(([tone]) => count((node) => node.tone === tone));
  at("tones").hidden = tones.length < 2;
  for (const [tone, words] of tones) {
    at("tones").append(chip("tone", tone, words, element("i"), count((node) => node.tone === tone), state.tones));
  }
  for (const [evidence, words] of Object.entries(EVIDENCE)) {
    const number = count((node) => node.evidence === evidence);
    if (!number) continue;
    const dashes = { exact: null, inferred: "6 3", possible: "1.5 3" }[evidence];
    const line = drawn("svg", { viewBox: "0 0 22 6", "aria-hidden": "true" },
      drawn("line", { x1: 0, y1: 3, x2: 22, y2: 3, stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": dashes }));
    at("evidence").append(chip("evidence", evidence, words, line, number, state.evidence));
  }
  const folders = new Map();
  for (const node of listed) {
    const parts = folderOf(node).split("/");
    parts.forEach((_, end) => {
      const folder = parts.slice(0, end + 1).join("/");
      if (folder) folders.set(folder, (folders.get(folder) ?? 0) + 1);
    });
  }
  const names = [...folders.keys()].sort();
  const isDeep = names.length > 150;
  for (const folder of names.filter((name) => !isDeep || name.split("/").length < 4)) {
    at("folder").append(element("option", { value: folder }, `${folder} (${folders.get(folder)})`));
  }
  at("query").addEventListener("input", () => { state.query = at("query").value.trim().toLowerCase(); refresh(); });
  at("least").addEventListener("input", () => {
    state.least = Number(at("least").value);
    at("least-is").value = `${state.least}%`;
    refresh();
  });
  at("folder").addEventListener("change", () => { state.folder = at("folder").value; refresh(); });
  for (const input of document.querySelectorAll("[name=tests]")) {
    input.addEventListener("change", () => { state.tests = input.value; refresh(); });
  }
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("filters").addEventListener("reset", () => setTimeout(() => {
    Object.assign(state, { query: "", least: 0, tests: "all", folder: "", all: false });
    state.open.clear();
    state.more.clear();
    at("least-is").value = "0%";
    for (const input of document.querySelectorAll(".chips input")) {
      const set = input.name === "tone" ? state.tones : state.evidence;
      if (input.checked) set.add(input.value); else set.delete(input.value);
    }
    refresh();
  }));
}

// --------------------------------------------------------------------------------------------------------- address

/** The filters and the selection stand behind the `#`, so that a link to the page shows the same. */
function remember() {
  const words = new URLSearchParams();
  if (state.query) words.set("q", state.query);
  if (state.least) words.set("least", state.least);
  if (state.tests !== "all") words.set("tests", state.tests);
  if (state.folder) words.set("in", state.folder);
  for (const [name, set] of [["tone", state.tones], ["evidence", state.evidence]]) {
    const off = [...document.querySelectorAll(`[name=${name}]`)].map((input) => input.value).filter((value) => !set.has(value));
    if (off.length) words.set(`no-${name}`, off.join(" "));
  }
  if (state.selected !== null) words.set("at", nodes[state.selected].name);
  // Some browsers refuse this for a local file; then the address stays as it is.
  try { history.replaceState(null, "", `#${words}`); } catch { /* the page works without */ }
}

function recall() {
  const words = new URLSearchParams(location.hash.slice(1));
  state.query = (words.get("q") ?? "").toLowerCase();
  state.least = Math.min(100, Math.max(0, Number(words.get("least")) || 0));
  state.tests = ["code", "tests"].includes(words.get("tests")) ? words.get("tests") : "all";
  state.folder = [...at("folder").options].some((option) => option.value === words.get("in")) ? words.get("in") : "";
  for (const [name, set] of [["tone", state.tones], ["evidence", state.evidence]]) {
    const off = words.get(`no-${name}`);
    if (off === null) continue;
    for (const input of document.querySelectorAll(`[name=${name}]`)) {
      input.checked = !off.split(" ").includes(input.value);
      if (input.checked) set.add(input.value); else set.delete(input.value);
    }
  }
  at("query").value = state.query;
  at("least").value = state.least;
  at("least-is").value = `${state.least}%`;
  at("folder").value = state.folder;
  for (const input of document.querySelectorAll("[name=tests]")) input.checked = input.value === state.tests;
  const found = nodes.findIndex((node) => node.name === words.get("at"));
  return found < 0 ? null : found;
}

at("filters").hidden = false;
document.querySelector("main").hidden = false;
filters();
at("graph").addEventListener("click", (event) => {
  const made = event.target.closest(".node");
  if (made) activate(made);
});
for (const [kind, way_of] of [["mouseover", (made) => made], ["mouseleave", () => null], ["focusin", (made) => made], ["focusout", () => null]]) {
  at("graph").addEventListener(kind, (event) => {
    const made = way_of(event.target.closest?.(".node"));
    light(made && made.dataset.node !== undefined ? Number(made.dataset.node) : null);
  });
}
new ResizeObserver(() => {
  // The first call comes after the first drawing, with nothing new.
  if (sizeOf(at("graph")) === drawnSize) return;
  drawEdges();
  light(null);
}).observe(at("graph"));
addEventListener("beforeprint", () => build(ROWS));
at("graph").addEventListener("keydown", inPicture);
at("list").addEventListener("keydown", inList);
document.addEventListener("keydown", anywhere);
at("more").addEventListener("click", () => { state.all = !state.all; state.open.clear(); drawPicture(); });
at("help-open").addEventListener("click", () => at("help").showModal());
const asked = recall();
state.selected = asked ?? ["breaks", "may_break"].map((tone) => nodes.findIndex((node) => node.tone === tone)).find((index) => index >= 0)
  ?? (nodes.length ? 0 : null);
for (let node = asked; node !== null; node = nodes[node].parent) state.open.add(keyOf(node));
drawList();
drawPicture();
drawDetails();
if (state.selected !== null) reveal(state.selected);
})();
