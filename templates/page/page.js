"use strict";
// Draws the graph in #data: a list, a picture (a tree by distance) and the evidence of the selected node. Text from the
// repository becomes text nodes and attributes, never markup.
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, steps, findings, groups, sources, links } = data;
const at = (id) => document.getElementById(id);
const TONES = { breaks: "breaks", may_break: "may break", differs: "may behave differently", spared: "not affected" };
const EVIDENCE = { exact: "exact", inferred: "inferred", possible: "only a name fits" };
/** Nodes that are drawn at first, in all and below one node; rows of the list; most nodes that are ever drawn. */
const FIRST = 56, BELOW = 7, ROWS = 2000, DRAWN = 1200, MORE = 20;
/** Sizes in the picture, in pixels. */
const WIDTH = 196, HEIGHT = 40, GAP = 52, PITCH = 50, TOP = 4, LEFT = 18;

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
  selected: null, room: new Map(), folded: new Set(), all: false, zoom: 1,
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

function drawList() {
  const list = at("list");
  const top = list.scrollTop;
  const parts = [];
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
    rows += room.length;
    if (!members.length) continue;
    const number = kept.length === members.length ? `${kept.length}` : `${kept.length} of ${members.length}`;
    parts.push(element("h2", {}, title, element("span", {}, number)));
    if (room.length) parts.push(element("ul", {}, ...room.map(row)));
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

/** The nodes to draw: those that pass the filters and their parents, as far as there is room. */
function chosen() {
  const wanted = new Set();
  const isContext = new Set();
  const isNarrow = state.query !== "";
  const number = nodes.map(() => 0);
  const admit = (index) => {
    for (let node = index; node !== null && !wanted.has(node); node = nodes[node].parent) {
      wanted.add(node);
      if (nodes[node].parent !== null) number[nodes[node].parent]++;
    }
  };
  const kept = nodes.map((_, index) => fits(index));
  const isFolded = (index) => {
    for (let node = nodes[index].parent; node !== null; node = nodes[node].parent) if (state.folded.has(node)) return true;
    return false;
  };
  const room = (parent) => (state.room.get(parent) ?? (parent === null ? FIRST : BELOW));
  let roots = 0;
  // Dependents come first, then changes without dependents.
  const dependents = nodes.map((_, index) => index).filter((index) => !isChanged(nodes[index]));
  for (const index of [...dependents, ...nodes.keys()].filter((index) => !wanted.has(index))) {
    const node = nodes[index];
    if (!kept[index] || wanted.size >= DRAWN || wanted.has(index) || isFolded(index)) continue;
    const hasRoom = node.parent === null ? roots < room(null) : number[node.parent] < room(node.parent);
    const isAsked = state.room.has(node.parent) && wanted.has(node.parent);
    if (state.all || (hasRoom && (wanted.size < FIRST || isAsked)) || (isNarrow && wanted.size < 4 * FIRST)) {
      if (node.parent === null) roots++;
      admit(index);
    }
  }
  if (state.selected !== null && !isFolded(state.selected) && (kept[state.selected] || !state.query)) admit(state.selected);
  // A sign for one hidden node would take the room of the node itself.
  for (const parent of [...wanted].filter((index) => !state.folded.has(index))) {
    const hidden = children[parent].filter((child) => kept[child] && !wanted.has(child));
    if (hidden.length === 1) admit(hidden[0]);
  }
  wanted.forEach((index) => { if (!kept[index]) isContext.add(index); });
  return { wanted, isContext, kept };
}

/** Assigns rows from top to bottom, parents beside their first child: the most probable chain runs along the top. */
function laidOut({ wanted, kept }) {
  const spots = [];
  const rests = [];
  let next = 0;
  const visit = (index, parent) => {
    const shown = children[index].filter((child) => wanted.has(child));
    const hidden = state.folded.has(index) ? 0 : children[index].filter((child) => !wanted.has(child) && kept[child]).length;
    const rows = shown.map((child) => visit(child, index));
    if (hidden) {
      rests.push({ of: index, hidden, column: column[index] + 1, row: next });
      rows.push(next++);
    }
    const own = rows.length ? rows[0] : next++;
    spots.push({ index, parent, row: own });
    return own;
  };
  nodes.forEach((node, index) => { if (node.parent === null && wanted.has(index)) visit(index, null); });
  const roots = nodes.filter((node, index) => node.parent === null && kept[index] && !wanted.has(index)).length;
  if (roots) rests.push({ of: null, hidden: roots, column: 0, row: next++ });
  // A screen reader follows the order of the elements, so they are sorted from the top.
  spots.sort((a, b) => a.row - b.row || column[a.index] - column[b.index]);
  return { spots, rests, rows: next };
}

const x = (of) => LEFT + of * (WIDTH + GAP);
const y = (row) => TOP + row * PITCH;
const centers = new Map();

function edge(from, to, step, isOn) {
  const a = { x: x(from.column) , y: y(from.row) + HEIGHT / 2 };
  const b = { x: x(to.column) + WIDTH, y: y(to.row) + HEIGHT / 2 };
  const middle = Math.max(26, (a.x - b.x) / 2);
  return drawn("path", {
    class: `edge ${step.evidence}${isOn ? " on" : ""}`, "stroke-width": 1.3,
    d: `M${a.x} ${a.y}C${a.x - middle} ${a.y} ${b.x + middle} ${b.y} ${b.x} ${b.y}`,
  });
}

function box({ index, row: at_row }, isContext, isOn) {
  const node = nodes[index];
  const tone = toneOf(node);
  const level = depthOf(index) + 1;
  const hidden = below[index];
  const isOpen = children[index].length ? String(!state.folded.has(index)) : null;
  const verdict = isChanged(node) ? "changed" : node.tone ? TONES[node.tone] : "passed through";
  const group = drawn("g", {
    class: `node ${tone}${node.is_test ? " test" : ""}${node.kind === "module" ? " module" : ""}${isContext ? " faded" : ""}${isOn ? " on" : ""}`,
    transform: `translate(${x(column[index])} ${y(at_row)})`, "data-node": index, role: "treeitem", tabindex: "-1",
    "aria-level": level, "aria-selected": String(state.selected === index), "aria-expanded": isOpen,
    "aria-label": `${node.label}, ${verdict}, ${isChanged(node) ? node.kind : likelihood(node.probability)}${node.is_test ? ", test" : ""}`,
  },
  drawn("title", {}, document.createTextNode(`${node.name}\n${node.path}:${node.line}\n${node.note}`)),
  drawn("rect", { class: "box", width: WIDTH, height: HEIGHT, rx: 8 }),
  drawn("rect", { class: "bar", x: 8, y: HEIGHT - 4, height: 2, rx: 1, width: Math.max(3, Math.round((WIDTH - 16) * node.probability)), opacity: isChanged(node) ? 0 : 0.75 }));
  const label = drawn("text", { class: "label", x: 10, y: 16 });
  label.textContent = cut(node.label.length > 24 ? node.label.split(".").pop() : node.label, 24);
  const sub = drawn("text", { class: "sub", x: 10, y: 30 });
  sub.textContent = isChanged(node) ? cut(node.note || node.kind, 31) : cut(`${percent(node.probability)} · ${node.path.split("/").pop()}:${node.line}`, 33);
  group.append(label, sub);
  if (isOpen !== null) {
    const fold = drawn("g", { class: "fold", transform: `translate(${WIDTH} ${HEIGHT / 2})`, "data-fold": index });
    const sign = drawn("text", { y: 3.5 });
    sign.textContent = state.folded.has(index) ? (hidden > 99 ? "99+" : String(hidden)) : "−";
    fold.append(drawn("circle", { r: state.folded.has(index) ? 11 : 8 }), sign);
    group.append(fold);
  }
  return group;
}

function depthOf(index) {
  let depth = 0;
  for (let node = nodes[index].parent; node !== null; node = nodes[node].parent) depth++;
  return depth;
}

let order = [];
function drawPicture() {
  const choice = chosen();
  const { spots, rests, rows } = laidOut(choice);
  const graph = at("graph");
  const spotOf = new Map(spots.map((spot) => [spot.index, { ...spot, column: column[spot.index] }]));
  const onChain = new Set();
  for (let node = state.selected; node !== null; node = nodes[node].parent) onChain.add(node);
  const edges = [], marked = [];
  const link = (from, to, step, isOn) => (isOn ? marked : edges).push(edge(spotOf.get(from), spotOf.get(to), step, isOn));
  for (const { index, parent } of spots) {
    if (parent === null) continue;
    const step = steps[nodes[index].chain[0]] ?? { evidence: nodes[index].evidence };
    link(index, parent, step, onChain.has(index));
  }
  // A place may refer to several changed definitions.
  for (const { index } of spots) {
    for (const found of nodes[index].findings.map((finding) => findings[finding])) {
      if (found.changed !== nodes[index].parent && found.changed !== index && spotOf.has(found.changed)
        && column[found.changed] < column[index]) {
        link(index, found.changed, { evidence: nodes[index].evidence }, state.selected === index);
      }
    }
  }
  const last = Math.max(0, ...spots.map((spot) => column[spot.index]), ...rests.map((rest) => rest.column));
  at("heads").replaceChildren(...Array.from({ length: last + 1 }, () => element("span")));
  const more = rests.map((rest) => {
    const group = drawn("g", {
      class: "node rest", transform: `translate(${x(rest.column)} ${y(rest.row)})`, role: "treeitem", tabindex: "-1",
      "data-rest": rest.of === null ? "" : rest.of, "aria-level": (rest.of === null ? 0 : depthOf(rest.of) + 1) + 1,
      "aria-label": `${rest.hidden} more: show them`,
    }, drawn("rect", { class: "box", width: WIDTH, height: HEIGHT, rx: 8 }));
    const text = drawn("text", { x: 10, y: 24 });
    text.textContent = `+ ${rest.hidden} more`;
    group.append(text);
    if (rest.of !== null) edges.push(edge(rest, spotOf.get(rest.of), { evidence: "exact" }, false));
    return group;
  });
  const boxes = spots.map((spot) => box(spot, choice.isContext.has(spot.index), onChain.has(spot.index)));
  graph.replaceChildren(...edges, ...marked, ...boxes, ...more);
  const width = x(last) + WIDTH + 40, height = y(Math.max(rows, 1)) + 10;
  graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
  graph.dataset.width = width;
  graph.dataset.height = height;
  zoomTo(state.zoom);
  centers.clear();
  spots.forEach((spot) => centers.set(spot.index, { x: x(column[spot.index]) + WIDTH / 2, y: y(spot.row) + HEIGHT / 2 }));
  // Up and down follow the position in the picture, not the tree.
  const place_of = (group) => group.getAttribute("transform").match(/[\d.]+/g).map(Number);
  order = [...boxes, ...more].sort((a, b) => place_of(a)[1] - place_of(b)[1] || place_of(a)[0] - place_of(b)[0]);
  const first = graph.querySelector("[aria-selected=true]") ?? order[0];
  if (first) first.setAttribute("tabindex", "0");
  const isWhole = state.all || !rests.length;
  at("more").hidden = isWhole && !state.all;
  at("more").textContent = state.all ? "Fold" : "Expand all";
  if (choice.wanted.size >= DRAWN) at("more").title = `At most ${DRAWN} nodes are drawn; the list has all`;
}

function zoomTo(zoom) {
  state.zoom = Math.min(2, Math.max(0.2, zoom));
  const graph = at("graph");
  graph.setAttribute("width", Math.round(graph.dataset.width * state.zoom));
  graph.setAttribute("height", Math.round(graph.dataset.height * state.zoom));
  [...at("heads").children].forEach((head, index) => {
    head.style.left = `${x(index) * state.zoom}px`;
    head.textContent = state.zoom < 0.4 ? String(index) : index === 0 ? "changes" : index === 1 ? "direct" : `${index} steps`;
  });
}

function fit() {
  const { clientWidth, clientHeight } = at("canvas");
  const { width, height } = at("graph").dataset;
  zoomTo(Math.min(1, (clientWidth - 4) / width, (clientHeight - 4) / height));
}

/** Three columns beside each other, or everything where that is not smaller. */
function begin() {
  const { clientWidth, clientHeight } = at("canvas");
  const { width, height } = at("graph").dataset;
  const wide = Math.min(width, x(3)), high = Math.min(height, 16 * PITCH);
  zoomTo(Math.max(0.6, Math.min(1, clientWidth / wide, clientHeight / high)));
}

/** Scrolls a node into sight, with some of its surroundings. */
function reveal(index) {
  const center = centers.get(index);
  if (!center) return;
  const canvas = at("canvas");
  const [left, top] = [center.x * state.zoom, center.y * state.zoom];
  const [wide, high] = [WIDTH * state.zoom, HEIGHT * 1.5 * state.zoom];
  if (left - wide / 2 < canvas.scrollLeft || left + wide / 2 > canvas.scrollLeft + canvas.clientWidth) {
    canvas.scrollLeft = left - canvas.clientWidth / 2;
  }
  if (top - high < canvas.scrollTop || top + high > canvas.scrollTop + canvas.clientHeight) {
    canvas.scrollTop = top - canvas.clientHeight / 2;
  }
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
        element("p", { class: "by" }, place(step.path, step.line), ` · ${step.basis}`), excerpt(step.path, step.line));
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

function finding(found, own) {
  return element("li", { class: `found ${found.tone}` },
    element("p", {}, element("strong", {}, found.verdict), ": ", ...worded(found.reason)),
    element("p", { class: "by" }, place(found.path, found.line), found.probability === null ? "" : ` · ${likelihood(found.probability)}`,
      ...(found.changed === own ? [] : [" · ", jump(found.changed)])),
    excerpt(found.path, found.line));
}

// ------------------------------------------------------------------------------------------------------- selection

function select(index, from) {
  state.selected = index;
  for (let node = nodes[index].parent; node !== null; node = nodes[node].parent) state.folded.delete(node);
  drawPicture();
  reveal(index);
  drawDetails();
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
  drawList();
  drawPicture();
  drawDetails();
}

function refresh() {
  drawList();
  drawPicture();
}

function focusNode(index) {
  at("graph").querySelector(`[data-node="${index}"]`)?.focus({ preventScroll: true });
}

function toggle(index) {
  if (!state.folded.delete(index)) state.folded.add(index);
  drawPicture();
  focusNode(index);
}

/** Unfolds more children of a node. */
function unfold(rest) {
  const parent = rest.dataset.rest === "" ? null : Number(rest.dataset.rest);
  state.room.set(parent, (state.room.get(parent) ?? (parent === null ? FIRST : BELOW)) + MORE);
  const before = new Set(centers.keys());
  drawPicture();
  const fresh = order.find((group) => group.dataset.node && !before.has(Number(group.dataset.node)));
  fresh?.focus({ preventScroll: true });
}

function activate(group) {
  if (group.dataset.rest !== undefined) unfold(group);
  else select(Number(group.dataset.node), "picture");
}

// ------------------------------------------------------------------------------------------------------------ keys

function inPicture(event) {
  const here = event.target.closest(".node");
  if (!here) return;
  const index = Number(here.dataset.node);
  const isNode = here.dataset.node !== undefined;
  const go = (group) => {
    if (!group) return;
    group.focus({ preventScroll: true });
    if (group.dataset.node !== undefined) reveal(Number(group.dataset.node));
    else group.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const find = (wanted) => at("graph").querySelector(`[data-node="${wanted}"]`);
  const columnOf = (group) => group.getAttribute("transform").match(/[\d.]+/)[0];
  const beside = (step) => {
    const same = order.filter((group) => columnOf(group) === columnOf(here));
    return same[same.indexOf(here) + step];
  };
  switch (event.key) {
    case "ArrowDown": go(beside(1)); break;
    case "ArrowUp": go(beside(-1)); break;
    case "Home": go(order[0]); break;
    case "End": go(order[order.length - 1]); break;
    case "ArrowLeft": {
      const parent = isNode ? nodes[index].parent : here.dataset.rest;
      if (parent !== null && parent !== "") go(find(parent));
      break;
    }
    case "ArrowRight": {
      if (!isNode || !children[index].length) break;
      if (state.folded.has(index)) toggle(index);
      const child = children[index].map(find).find((group) => group);
      go(child ?? at("graph").querySelector(`[data-rest="${index}"]`));
      break;
    }
    case " ": if (isNode && children[index].length) toggle(index); else activate(here); break;
    case "Enter":
      activate(here);
      if (isNode) at("details").focus();
      break;
    default: return;
  }
  event.preventDefault();
}

function inList(event) {
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
    "+": () => zoomTo(state.zoom * 1.2),
    "-": () => zoomTo(state.zoom / 1.2),
    "0": fit,
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
    state.room.clear();
    state.folded.clear();
    at("least-is").value = "0%";
    for (const input of document.querySelectorAll(".chips input")) {
      const set = input.name === "tone" ? state.tones : state.evidence;
      if (input.checked) set.add(input.value); else set.delete(input.value);
    }
    refresh();
  }));
}

function pan() {
  const canvas = at("canvas");
  let from = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest(".node") || event.pointerType === "touch") return;
    from = { x: event.clientX + canvas.scrollLeft, y: event.clientY + canvas.scrollTop };
    canvas.classList.add("panning");
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    canvas.scrollLeft = from.x - event.clientX;
    canvas.scrollTop = from.y - event.clientY;
  });
  const end = () => { from = null; canvas.classList.remove("panning"); };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const before = state.zoom;
    const spot = { x: event.clientX - canvas.getBoundingClientRect().x, y: event.clientY - canvas.getBoundingClientRect().y };
    zoomTo(state.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    canvas.scrollLeft = (canvas.scrollLeft + spot.x) * (state.zoom / before) - spot.x;
    canvas.scrollTop = (canvas.scrollTop + spot.y) * (state.zoom / before) - spot.y;
  }, { passive: false });
}

at("filters").hidden = false;
document.querySelector("main").hidden = false;
filters();
pan();
at("graph").addEventListener("click", (event) => {
  const group = event.target.closest(".node");
  if (!group) return;
  if (event.target.closest("[data-fold]")) toggle(Number(group.dataset.node));
  else activate(group);
});
at("graph").addEventListener("keydown", inPicture);
at("list").addEventListener("keydown", inList);
document.addEventListener("keydown", anywhere);
at("in").addEventListener("click", () => zoomTo(state.zoom * 1.2));
at("out").addEventListener("click", () => zoomTo(state.zoom / 1.2));
at("fit").addEventListener("click", fit);
at("more").addEventListener("click", () => { state.all = !state.all; state.room.clear(); drawPicture(); });
at("help-open").addEventListener("click", () => at("help").showModal());
state.selected = ["breaks", "may_break"].map((tone) => nodes.findIndex((node) => node.tone === tone)).find((index) => index >= 0)
  ?? (nodes.length ? 0 : null);
refresh();
begin();
drawDetails();
if (state.selected !== null) reveal(state.selected);
})();
