"use strict";
// The gallery. Everything that comes from data or models is set as text or as a number, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("index").textContent);
  const { metric, graphs, models, statuses, keys, samples, frames, items } = data;
  const PAGE = 24;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const SVG = "http://www.w3.org/2000/svg";
  const count = items.s.length;

  const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
    return element;
  }
  const chip = (graph) => make("span", { class: `chip g${graph % 8}`, "aria-hidden": "true" }, LETTERS[graph % 26]);
  const score = (value) => (metric.percent ? `${(100 * value).toFixed(1)}%` : value.toFixed(3));
  const answered = (item) => items.v[item] !== null;
  const failed = (item) => ["failed", "unscored"].includes(statuses[items.st[item]]);
  const badness = (item) => (metric.lower ? 1 : -1) * (answered(item) ? items.v[item] : metric.worst);

  // One group an instance and model; its graphs and repeats are shown together.
  const groups = new Map();
  for (let item = 0; item < count; item++) {
    const key = items.s[item] * models.length + items.m[item];
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  for (const group of groups.values()) group.sort((a, b) => items.g[a] - items.g[b] || items.r[a] - items.r[b]);

  const controls = {};
  const filters = document.getElementById("filters");
  function choice(name, label, options) {
    const select = make("select", { id: `filter-${name}` });
    for (const [value, text] of options) select.append(make("option", { value }, text));
    filters.append(make("label", { for: select.id }, label, select));
    select.addEventListener("change", show);
    controls[name] = select;
  }
  const numbered = (names) => [["", "all"], ...names.map((name, number) => [number, name])];
  keys.forEach(([key, values], place) => choice(`key${place}`, key, numbered(values)));
  choice("graph", "graph", numbered(graphs));
  if (models.length > 1) choice("model", "model", numbered(models.map(([name, vlm]) => (vlm ? name : `${name} (no VLM)`))));
  choice("status", "status", numbered(statuses));
  choice("order", "order", [
    ["worst", "worst first"],
    ["disagreement", "biggest disagreement first"],
    ["best", "best first"],
    ["data", "as in the data"],
  ]);
  const search = make("input", { id: "filter-search", type: "search", placeholder: "in sentence or id", size: 18 });
  filters.append(make("label", { for: search.id }, "search", search));
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 150);
  });
  filters.addEventListener("submit", (event) => event.preventDefault());

  // What the filters leave: each entry is an instance with the items of it that are shown.
  function chosen() {
    const value = (name) => (controls[name] && controls[name].value !== "" ? Number(controls[name].value) : null);
    const graph = value("graph");
    const model = value("model");
    const status = value("status");
    const wanted = keys.map((_, place) => value(`key${place}`));
    const text = search.value.trim().toLowerCase();
    const found = [];
    for (const group of groups.values()) {
      const sample = samples[items.s[group[0]]];
      if (model !== null && items.m[group[0]] !== model) continue;
      if (wanted.some((one, place) => one !== null && sample[2][place] !== one)) continue;
      if (text && !sample[0].toLowerCase().includes(text) && !sample[1].toLowerCase().includes(text)) continue;
      const shown = graph === null ? group : group.filter((item) => items.g[item] === graph);
      if (!shown.length || (status !== null && !shown.some((item) => items.st[item] === status))) continue;
      found.push({ group: shown, rank: rank(shown) });
    }
    if (controls.order.value !== "data") found.sort((a, b) => b.rank - a.rank);
    return found;
  }
  function rank(group) {
    const counted = group.filter((item) => !failed(item));
    if (!counted.length) return -Infinity;
    const bad = counted.map(badness);
    if (controls.order.value === "best") return -Math.max(...bad);
    if (controls.order.value === "worst") return Math.max(...bad);
    const ofGraph = new Map();
    counted.forEach((item, place) => {
      const [sum, number] = ofGraph.get(items.g[item]) || [0, 0];
      ofGraph.set(items.g[item], [sum + bad[place], number + 1]);
    });
    const means = [...ofGraph.values()].map(([sum, number]) => sum / number);
    return Math.max(...means) - Math.min(...means);
  }

  const cards = document.getElementById("cards");
  const more = document.getElementById("more");
  let found = [];
  let shown = 0;
  function show() {
    found = chosen();
    shown = 0;
    cards.replaceChildren();
    page();
  }
  function page() {
    const next = found.slice(shown, shown + PAGE);
    cards.append(...next.map((entry, place) => card(entry, shown + place)));
    shown += next.length;
    more.hidden = shown >= found.length;
    const what = models.length > 1 ? "instances with a model" : "instances";
    document.getElementById("counted").textContent =
      `${shown.toLocaleString("en")} of ${found.length.toLocaleString("en")} ${what} shown`;
  }
  more.addEventListener("click", () => {
    const first = shown;
    page();
    const button = cards.children[first] && cards.children[first].querySelector("button");
    if (button) button.focus();
  });

  function card({ group }, place) {
    const sample = samples[items.s[group[0]]];
    const open = make("button", { type: "button", class: "open" }, sample[1] || sample[0]);
    open.addEventListener("click", () => details(place));
    return make(
      "article",
      { class: "card" },
      views(group),
      make("div", { class: "body" }, open, make("p", { class: "keys" }, described(group)), results(group)),
    );
  }
  function described(group) {
    const sample = samples[items.s[group[0]]];
    const parts = keys.map(([, values], place) => values[sample[2][place]]).filter((part) => part !== undefined);
    const [model, vlm] = models[items.m[group[0]]];
    if (models.length > 1) parts.push(vlm ? model : `${model} (no VLM)`);
    return parts.join(" · ");
  }
  function results(group) {
    const table = make("table", { class: "results" });
    for (const graph of new Set(group.map((item) => items.g[item]))) {
      const own = group.filter((item) => items.g[item] === graph);
      const told = own.map((item) => (answered(item) ? score(items.v[item]) : statuses[items.st[item]]));
      const said = own.map((item) => items.a[item]).filter(Boolean)[0];
      const name = make("td", {}, chip(graph), " ", graphs[graph]);
      if (said) name.append(make("span", { class: "quiet" }, ` ${said}`));
      table.append(make("tr", {}, name, make("td", {}, told.length > 1 ? `repeats: ${told.join(", ")}` : told[0])));
    }
    return table;
  }

  // The frames that were chosen, each once, with the target and the points of the graphs that chose it.
  function views(group) {
    const byFrame = new Map();
    for (const item of group) {
      if (items.f[item] < 0 || items.x[item] === null) continue;
      if (!byFrame.has(items.f[item])) byFrame.set(items.f[item], []);
      byFrame.get(items.f[item]).push(item);
    }
    const first = samples[items.s[group[0]]][3];
    if (!byFrame.size && first >= 0) byFrame.set(first, []);
    const ordered = [...byFrame].sort((a, b) => b[1].length - a[1].length);
    return make("div", { class: "views" }, ...ordered.map(([frame, own]) => view(frame, own)));
  }
  function view(frame, own) {
    const [label, width, height] = frames[frame];
    const stored = document.getElementById(`f${frame}`);
    const picture = stored
      ? make("img", { alt: "", loading: "lazy", decoding: "async", width, height, src: `data:image/webp;base64,${stored.textContent}` })
      : make("div", { class: "blank" }, "no picture");
    const over = draw("svg", { "aria-hidden": "true" });
    const behind = own.some((item) => items.in[item] & 2);
    for (const item of own) {
      const ends = { x1: at(items.tx[item]), y1: at(items.ty[item]), x2: at(items.x[item]), y2: at(items.y[item]) };
      over.append(draw("line", { class: "reach-halo", ...ends }), draw("line", { class: `reach g${items.g[item] % 8}`, ...ends }));
    }
    if (own.length) {
      const [item] = own;
      const center = { cx: at(items.tx[item]), cy: at(items.ty[item]), r: 8 };
      const outside = (items.in[item] & 1) === 0;
      over.append(
        draw("circle", { class: "truth-halo", ...center }),
        draw("circle", { class: outside ? "truth outside" : "truth", ...center }),
      );
    }
    over.append(...marks(own));
    return make("div", { class: "view" }, picture, over, make("span", { class: "frame", title: label }, label.split("/").pop() + (behind ? " · target behind" : "")));
  }
  // Points that fall together share a mark, so that none hides another; repeats after the first are dots.
  function marks(own) {
    const places = new Map();
    for (const item of own) {
      const place = `${Math.round(items.x[item] * 60)}|${Math.round(items.y[item] * 60)}`;
      if (!places.has(place)) places.set(place, []);
      places.get(place).push(item);
    }
    return [...places.values()].map((together) => {
      const [item] = together;
      const letters = [...new Set(together.filter((one) => items.r[one] === 0).map((one) => items.g[one]))];
      const single = new Set(together.map((one) => items.g[one])).size === 1;
      const mark = draw("svg", { x: at(items.x[item]), y: at(items.y[item]), overflow: "visible" });
      if (single) mark.setAttribute("class", `g${items.g[item] % 8}`);
      const half = letters.length ? 8 + 4 * (letters.length - 1) : 4.5;
      mark.append(draw("rect", { class: "point", x: -half, y: letters.length ? -8 : -4.5, width: 2 * half, height: letters.length ? 16 : 9, rx: 8 }));
      if (letters.length) mark.append(draw("text", { class: "letter" }, letters.map((graph) => LETTERS[graph % 26]).join("")));
      return mark;
    });
  }
  const at = (fraction) => `${(100 * fraction).toFixed(2)}%`;

  const dialog = document.getElementById("dialog");
  let opened = -1;
  const chunks = new Map();
  function unpack(sample) {
    const number = Math.floor(sample / data.chunk);
    if (!chunks.has(number)) {
      const bytes = Uint8Array.from(atob(document.getElementById(`d${number}`).textContent), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      chunks.set(number, new Response(stream).json());
    }
    return chunks.get(number);
  }
  async function details(place) {
    if (place < 0 || place >= found.length) return;
    opened = place;
    const { group } = found[place];
    const sample = items.s[group[0]];
    const step = (by, label, sign) => {
      const button = make("button", { type: "button", "aria-label": label }, sign);
      button.disabled = place + by < 0 || place + by >= found.length;
      button.addEventListener("click", () => details(place + by));
      return button;
    };
    const close = make("button", { type: "button", "aria-label": "Close" }, "✕");
    close.addEventListener("click", () => dialog.close());
    const sheet = make(
      "div",
      { class: "sheet" },
      make(
        "header",
        {},
        make("h2", { id: "dialog-title" }, samples[sample][1] || samples[sample][0]),
        step(-1, "Previous instance", "←"),
        step(1, "Next instance", "→"),
        close,
      ),
      make("p", { class: "keys" }, `${samples[sample][0]} · ${described(group)}`),
      views(group),
    );
    const focused = dialog.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    dialog.replaceChildren(sheet);
    if (!dialog.open) dialog.showModal();
    // The button that had the focus is gone with its sheet; at either end its successor cannot have it.
    else ([...sheet.querySelectorAll("button:enabled")].find((button) => button.getAttribute("aria-label") === focused) || close).focus();
    dialog.scrollTop = 0;
    if (typeof DecompressionStream === "undefined") {
      sheet.append(make("p", {}, "This browser cannot unpack findings and replies; a current one can."));
      return;
    }
    const all = (await unpack(sample))[sample];
    if (opened !== place) return;
    for (const item of group) sheet.append(answer(item, all[`${items.g[item]}|${items.m[item]}|${items.r[item]}`]));
  }
  function answer(item, detail) {
    const told = answered(item) ? `${metric.label} ${score(items.v[item])}` : statuses[items.st[item]];
    const repeat = items.r[item] ? `, repeat ${items.r[item] + 1}` : "";
    const part = make("section", { class: "answer" }, make("h3", {}, chip(items.g[item]), ` ${graphs[items.g[item]]}${repeat}: ${told}`));
    if (!detail) return part;
    const rows = [];
    if (detail.reason) rows.push(["reason", detail.reason]);
    if (detail.answer) rows.push(["answer", detail.answer]);
    if (detail.truth) rows.push(["truth", detail.truth]);
    if (detail.seconds !== null) rows.push(["seconds", detail.seconds.toFixed(2)]);
    for (const [name, value] of Object.entries(detail.more)) rows.push([name, value]);
    part.append(table(rows));
    if (detail.findings.length) {
      part.append(
        make("h4", {}, "findings"),
        table(detail.findings),
      );
    }
    for (const [steps, text, reasoning, finish, cut] of detail.replies) {
      const title = [steps ? `reply: ${steps}` : "reply", finish === "stop" ? "" : `(${finish})`, cut ? "(cut)" : ""].filter(Boolean).join(" ");
      part.append(make("h4", {}, title));
      if (reasoning) part.append(make("pre", {}, reasoning), make("h4", {}, "after reasoning"));
      part.append(make("pre", {}, text));
    }
    return part;
  }
  function table(rows) {
    return make("table", {}, ...rows.map(line));
  }
  function line([name, value, note]) {
    const text = [note && value === null ? "" : said(value), note || ""].filter(Boolean).join(" – ");
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, text));
  }
  function said(value) {
    if (Array.isArray(value)) return `[${value.map(said).join(", ")}]`;
    if (value !== null && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${said(one)}`).join(", ");
    if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));
    return value === null ? "–" : String(value);
  }
  dialog.addEventListener("keydown", (event) => {
    if (event.target.tagName === "PRE") return;
    if (event.key === "ArrowLeft") details(opened - 1);
    if (event.key === "ArrowRight") details(opened + 1);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    const button = cards.children[opened] && cards.children[opened].querySelector("button");
    if (button) button.focus();
  });

  // After the first paint, so that the tables above are there at once.
  requestAnimationFrame(() => setTimeout(show));
})();
