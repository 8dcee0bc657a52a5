"use strict";
/* What every part uses: the document, and elements made without any HTML text. */
const page = (() => {
  const found = JSON.parse(document.getElementById("document").textContent);

  /* An element with attributes and children; a text becomes a text node, never markup. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /* A text, or a condition in pieces: names keep their own direction, what is ours goes on. */
  const name = (text) => (Array.isArray(text)
    ? make("bdi", { dir: "ltr" }, ...text.map(([kind, piece]) => (kind ? make("bdi", {}, piece) : piece)))
    : whole(text));
  const whole = (text) => make("bdi", {}, String(text));
  const count = (number) => Number(number).toLocaleString("en-GB");
  const weight = (number) => { // a count in the unit of the weights that were given
    const [over, under] = [...String(found.unit ?? 1).split("/"), 1];
    return count((number * over) / under);
  };
  const share = (part, whole) => (whole ? (100 * part / whole).toFixed(1) + "%" : "-");
  const at = (id) => document.getElementById(id);

  /* Conditions or rules in words, each in an element of its own, so that no name turns another. */
  function joined(texts, word) {
    return texts.flatMap((text, i) => (i ? [` ${word} `, name(text)] : [name(text)]));
  }

  /* One rule, or what decides a row, with its outcome and counts. */
  function item(one, model) {
    const between = (i) => (one.quantity === "points" ? `${i ? ", " : ` ${one.need} of `}${one.clauses[i].points}: ` : i ? (one.quantity === "all" ? " and also " : " or ") : " ");
    const clauses = one.clauses.flatMap((clause, i) => [between(i), ...joined(clause.texts, clause.join)]);
    const outcome = one.stated === undefined ? name(`${model.label} = ${model.classes[one.then]}`)
      : name(`risk of ${model.label} = ${model.classes[1]}: ${(100 * one.stated).toFixed(1)}%`);
    return make("li", {}, make("strong", {}, one.lead), ...clauses, ": ", outcome,
      make("span", { class: "quiet" }, ` (${found.weighed ? "weight " : ""}${weight(one.captured)}${found.weighed ? "" : " rows"}${one.errors === null ? "" : `, ${weight(one.errors)} wrong`}${one.cost && `, ${one.cost}`})`));
  }

  function table(heads, rows) {
    return make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows));
  }

  function colour(variable) {
    return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  }

  /* What a cost chart shows: from 0 to twice the last objective, so that the gap can be seen. The
     list without rules, with which every search begins, may cost more: it is then above the chart. */
  const costs = (objective) => {
    const known = objective.filter((value) => value !== null);
    const last = known.length ? known[known.length - 1] : 0;
    return [0, Math.min(Math.max(0, ...known) * 1.05, last * 2) || 1];
  };

  /* A uPlot chart that follows the width and the colours of the page. series: {label, values,
     colour, points, dash, width}; options: xLabel, whole (whole numbers along x), costs (a staircase, as
     high as `costs` says of the first series). A canvas says nothing to a screen reader: `told` does. */
  function chart(where, told, title, x, series, options) {
    const own = options || {};
    where.setAttribute("role", "img");
    where.setAttribute("aria-label", told);
    let plot = null, values = [x, ...series.map((one) => one.values)];
    const axis = (label) => ({
      label, values: (_, splits) => splits.map((value) => (value === null ? "" : String(+value.toPrecision(4)))), stroke: colour("--ink"), grid: { stroke: colour("--line"), width: 0.5 }, ticks: { stroke: colour("--line") },
    });
    const draw = () => {
      if (plot) plot.destroy();
      plot = new uPlot({
        title, width: Math.max(240, where.clientWidth), height: 260,
        scales: { x: { time: false }, ...(own.costs ? { y: { range: () => costs(values[1]) } } : {}) },
        legend: { live: false },
        cursor: { drag: { x: false, y: false } },
        axes: [{ ...axis(own.xLabel || ""), ...(own.whole ? { incrs: [1, 2, 5, 10, 20, 50, 100] } : {}) }, { ...axis(own.yLabel || ""), size: 70 }],
        series: [{}, ...series.map((one) => ({
          label: one.label, stroke: colour(one.colour), width: one.width ?? 2, dash: one.dash,
          ...(own.costs ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
          points: { show: own.costs ? (drawn) => drawn.data[0].length < 30 : one.points === true },
        }))],
      }, values, where);
    };
    draw();
    let width = where.clientWidth;
    new ResizeObserver(() => {
      if (where.clientWidth !== width) { width = where.clientWidth; plot.setSize({ width: Math.max(240, width), height: 260 }); }
    }).observe(where);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    matchMedia("print").addEventListener("change", draw);
    return { update: (columns) => { values = columns; plot.setData(columns); } };
  }

  /* Objective and lower bound over time. columns: the three. */
  const course = (where, told, [seconds, objective, bound]) => chart(where, told, "Objective and lower bound", seconds, [
    { label: "objective", values: objective, colour: "--c1" },
    { label: "lower bound", values: bound, colour: "--c0", dash: [6, 4] },
  ], { xLabel: "seconds", costs: true });

  /* In a frame a report tells its height, so that it needs no scroll bar of its own. */
  if (parent !== window) {
    new ResizeObserver(() => parent.postMessage({ height: document.documentElement.offsetHeight }, "*")).observe(document.documentElement);
  }

  return { found, make, name, whole, count, weight, share, at, joined, item, table, chart, course };
})();
