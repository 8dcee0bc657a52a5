"use strict";
/* Step by step: the events of a fine trace, replayed. A step is one node and all that became of it. */
(() => {
  const { found, make, at, name, joined, count } = page;
  const { antecedents, scale, bounds, kinds, columns, search } = found.steps;
  const events = columns.kind.map((kind, i) => ({
    kind, node: columns.node[i], rule: columns.antecedent[i], part: columns.part[i],
    parent: columns.count[i], bound: columns.lower_bound[i], objective: columns.objective[i],
  }));
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
  const prefix = (listed) => (listed.length ? joined(listed.map((r) => antecedents[r]), "then") : ["the empty beginning"]);

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

  function fate(one) {
    if (one.kind === kinds.push) return ["kept: it is listed for later"];
    if (one.kind === kinds.merge) return ["left out: the same rows were reached at no higher cost before"];
    const bound = bounds[one.part] || { name: "a bound", summary: "", theorem: "" };
    const why = [bound.summary, bound.theorem && `(${bound.theorem})`].filter(Boolean).join(" ");
    return ["left out by ", make("strong", {}, bound.name.replaceAll("_", " ")), why ? `: ${why}` : ""];
  }

  function show() {
    const typed = Math.round(Number(at("steps-at").value)) || 1;
    const step = Math.min(starts.length, Math.max(1, typed)) - 1;
    const from = starts[step], to = starts[step + 1] ?? events.length;
    const inside = events.slice(from, to);
    const popped = inside.find((one) => one.kind === kinds.pop);
    const listed = popped ? rules(popped.node) : [];
    const better = inside.filter((one) => one.kind === kinds.incumbent);
    const { open, best } = replay(to);
    at("steps-of").textContent = `of ${count(starts.length)}`;
    at("steps-text").replaceChildren("Looks at lists that begin with ", ...prefix(listed), ". ",
      better.length ? `A better list was found: it costs ${cost(better.at(-1).objective)}. ` : "",
      best === null ? "" : `The best list so far costs ${cost(best)}.`);
    const children = inside.filter((one) => [kinds.push, kinds.prune, kinds.merge].includes(one.kind));
    at("steps-children").tBodies[0].replaceChildren(...children.map((one) => make("tr", {},
      make("th", { scope: "row", class: "word" }, one.rule < 0 ? "all that is left" : name(antecedents[one.rule])),
      make("td", {}, cost(one.bound)), make("td", { class: "word" }, ...fate(one)))));
    const stacked = search.includes("depth") ? open.slice().reverse() : open;
    at("steps-open").replaceChildren(...(stacked.length
      ? stacked.slice(0, 200).map((node) => make("li", {}, ...prefix(rules(node))))
      : [make("li", {}, "nothing: the search is complete")]));
    at("steps-back").disabled = step === 0;
    at("steps-next").disabled = step === starts.length - 1;
    at("steps-at").max = starts.length;
    return step;
  }

  function move(by) {
    const input = at("steps-at");
    input.value = Math.min(starts.length, Math.max(1, (Math.round(Number(input.value)) || 1) + by));
    show();
  }
  at("steps-back").addEventListener("click", () => move(-1));
  at("steps-next").addEventListener("click", () => move(1));
  at("steps-at").addEventListener("change", show);
  show();
})();
