"use strict";
/* Step by step: the events of a fine trace, replayed. A step is one node and all that became of it. */
(() => {
  const { found, make, at, name, joined, count, weight } = page;
  const { antecedents, scale, bounds, kinds, search, points } = found.steps;
  const events = found.steps.events.map(([kind, node, rule, part, parent, bound, objective]) => ({ kind, node, rule, part, parent, bound, objective }));
  const cost = (value) => (value / scale).toFixed(6);

  /* Where each step begins; what stands before the first is part of the first. */
  const starts = events.flatMap((one, i) => (one.kind === kinds.pop ? [i] : []));
  if (!starts.length) starts.push(0);
  starts[0] = 0;
  const nodes = new Map([[0, { rules: [] }]]);
  for (const one of events) {
    if (one.kind === kinds.push) nodes.set(one.node, { rules: [...(nodes.get(one.parent)?.rules || []), one.rule], parent: one.parent, bound: one.bound });
  }
  const rules = (node) => nodes.get(node)?.rules || [];
  const prefix = (listed) => (listed.length ? joined(listed.map((r) => antecedents[r]), "then") : ["no rule yet"]);

  /* The nodes that are open, and the best objective, after the first `end` events. */
  function replay(end) {
    const open = new Set([0]);
    let best = null;
    for (const one of events.slice(0, end)) {
      if (one.kind === kinds.push) open.add(one.node);
      else if (one.kind === kinds.pop || one.kind === kinds.stale) open.delete(one.node);
      else if (one.kind === kinds.prune || one.kind === kinds.merge) {
        for (const node of open) {
          const known = nodes.get(node);
          if (known && known.parent === one.node && rules(node).at(-1) === one.rule) open.delete(node);
        }
      } else if (one.kind === kinds.start || one.kind === kinds.incumbent) best = one.objective;
      else if (one.kind === kinds.collect) {
        for (const node of open) if (best !== null && (nodes.get(node)?.bound ?? 0) >= best) open.delete(node);
      } else if (one.kind === kinds.done) open.clear();
    }
    return { open: [...open], best };
  }

  /* Of each different row of the data: the rules of a prefix that decides it, or -1 if none does. */
  function decidedBy(listed) {
    return points.rows.map(([bits]) => listed.findIndex((rule) => bits[rule] === "1"));
  }

  /* How many of the rows that a prefix leaves a rule captures, and how many of those err. */
  function counted(rule, decided) {
    const sums = points.classes.map(() => 0);
    points.rows.forEach(([bits, counts], i) => {
      if (decided[i] < 0 && (rule < 0 || bits[rule] === "1")) counts.forEach((n, c) => { sums[c] += n; });
    });
    const captured = sums.reduce((sum, n) => sum + n, 0);
    return { captured, errors: captured - Math.max(...sums) };
  }

  /* The bound that removed a child, and when it removes one. */
  function fate(one) {
    if (one.kind === kinds.push) return { key: "kept", title: "Kept: to be looked at later", why: "" };
    if (one.kind === kinds.merge) {
      return { key: "merged", title: "Left out: reached before", why: "Other rules led to the same rows before, at no higher cost." };
    }
    const bound = bounds[one.part] || { name: "a bound", summary: "", theorem: "" };
    const paper = /^(Theorems?|Lemma) [\d ,and]+$/.test(bound.theorem) ? " of Angelino et al., JMLR 18, 2018" : "";
    const theorem = bound.theorem && !bound.theorem.includes("/") ? ` (${bound.theorem}${paper})` : "";
    return { key: bound.name, title: `Left out by the bound ${bound.name.replaceAll("_", " ")}`,
      why: bound.summary ? `This bound ${bound.summary}${theorem}.` : "" };
  }

  /* The children of a step, those of one fate together; what a reader closed stays closed. */
  const closed = new Set();
  function families(children, decided) {
    const found = new Map();
    for (const one of children) {
      const { key, title, why } = fate(one);
      if (!found.has(key)) found.set(key, { key, title, why, children: [] });
      found.get(key).children.push(one);
    }
    const order = [...found.values()].sort((a, b) => (b.key === "kept") - (a.key === "kept"));
    return order.map((one) => {
      const box = make("details", { open: !closed.has(one.key) }, make("summary", {}, `${one.title} (${count(one.children.length)})`),
        one.why ? make("p", { class: "quiet" }, one.why) : null,
        make("div", { class: "wide", role: "region", "aria-label": one.title, tabindex: 0 }, table(one.children, decided)));
      box.addEventListener("toggle", () => { if (box.open) closed.delete(one.key); else closed.add(one.key); });
      return box;
    });
  }

  function table(children, decided) {
    const head = ["Next rule", ...(points ? ["Rows it captures", "Errors among them"] : []), "Costs at least"];
    const rows = children.map((one) => {
      const { captured, errors } = points ? counted(one.rule, decided) : {};
      return make("tr", {},
        make("th", { scope: "row", class: "word" }, one.rule < 0 ? "everything that is left" : name(antecedents[one.rule])),
        ...(points ? [make("td", {}, weight(captured)), make("td", {}, weight(errors))] : []),
        make("td", {}, cost(one.bound)));
    });
    return page.table(head, rows);
  }

  /* The rows of the data with every condition, as the step finds them. */
  const MOST_ROWS = 100;
  function data(listed, decided) {
    const whole = points.rows.slice(0, MOST_ROWS);
    const head = ["Rows", ...points.classes.map((one) => `${points.label} = ${one}`), "Decided by"];
    const marks = antecedents.map((text) => make("th", { scope: "col", class: "upright" }, name(text)));
    at("steps-table").replaceChildren(make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, name(text))), ...marks)),
      make("tbody", {}, ...whole.map(([bits, counts], i) => make("tr", {},
        make("td", {}, weight(counts.reduce((sum, n) => sum + n, 0))), ...counts.map((n) => make("td", {}, weight(n))),
        make("td", {}, decided[i] < 0 ? "-" : `rule ${decided[i] + 1}`),
        ...[...bits].map((bit) => make("td", { class: bit === "1" ? "bit on" : "bit" }, bit))))));
    at("steps-rows").textContent = points.rows.length > MOST_ROWS
      ? `The ${MOST_ROWS} most frequent of ${count(points.rows.length)} different rows.` : `${count(points.rows.length)} different rows.`;
  }

  function progress(decided) {
    const sums = { whole: 0, left: 0 };
    points.rows.forEach(([, counts], i) => {
      const here = counts.reduce((sum, n) => sum + n, 0);
      sums.whole += here;
      if (decided[i] < 0) sums.left += here;
    });
    return `These rules decide ${weight(sums.whole - sums.left)} of ${weight(sums.whole)} rows; ${weight(sums.left)} are left. `;
  }

  let shown = { listed: [], decided: [] };
  function show() {
    const typed = Math.round(Number(at("steps-at").value)) || 1;
    const step = Math.min(starts.length, Math.max(1, typed)) - 1;
    const from = starts[step], to = starts[step + 1] ?? events.length;
    const inside = events.slice(from, to);
    const popped = inside.find((one) => one.kind === kinds.pop);
    const listed = popped ? rules(popped.node) : [];
    const decided = points ? decidedBy(listed) : [];
    const better = inside.filter((one) => one.kind === kinds.incumbent);
    const { open, best } = replay(to);
    at("steps-of").textContent = `of ${count(starts.length)}`;
    at("steps-text").replaceChildren(
      ...(listed.length ? ["This step looks at the lists that begin with ", ...prefix(listed), ". ", points ? progress(decided) : ""]
        : ["This step looks at all lists: no rule is chosen yet. "]),
      better.length ? `A better list was found: it costs ${cost(better.at(-1).objective)}. ` : "",
      best === null ? "" : `The best list so far costs ${cost(best)}.`);
    const children = inside.filter((one) => [kinds.push, kinds.prune, kinds.merge].includes(one.kind));
    at("steps-children").replaceChildren(...(children.length ? families(children, decided)
      : [make("p", {}, "There is nothing to choose here: no further rule was considered.")]));
    const stacked = search.includes("depth") ? open.slice().reverse() : open;
    at("steps-open").replaceChildren(...(stacked.length
      ? stacked.slice(0, 200).map((node) => make("li", {}, ...prefix(rules(node))))
      : [make("li", {}, "nothing: the search is complete")]));
    at("steps-back").disabled = step === 0;
    at("steps-next").disabled = step === starts.length - 1;
    at("steps-at").max = starts.length;
    shown = { listed, decided };
    if (points && at("steps-data").open) data(listed, decided);
  }

  function move(by) {
    const input = at("steps-at");
    input.value = Math.min(starts.length, Math.max(1, (Math.round(Number(input.value)) || 1) + by));
    show();
  }
  at("steps-back").addEventListener("click", () => move(-1));
  at("steps-next").addEventListener("click", () => move(1));
  at("steps-at").addEventListener("change", show);
  if (points) at("steps-data").addEventListener("toggle", () => { if (at("steps-data").open) data(shown.listed, shown.decided); });
  show();
})();
