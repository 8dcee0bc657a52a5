"use strict";
/* Objective and bound over time, and what was left. */
(() => {
  const { found, at, chart, course } = page;
  const { columns } = found.history;
  const last = columns.seconds.length - 1;
  const fixed = (value) => (value === null ? "-" : value.toFixed(6));
  const told = `Over ${columns.seconds[last].toFixed(2)} seconds the objective went from ${fixed(columns.objective[0])} to `
    + `${fixed(columns.objective[last])}, the lower bound from ${fixed(columns.bound[0])} to ${fixed(columns.bound[last])}.`;
  course(at("history-costs"), told, [columns.seconds, columns.objective, columns.bound]);
  if (columns.remaining.filter((value) => value !== null).length > 1) {
    chart(at("history-left"), "What was left of the search over time; its numbers are in the table below.",
      "Remaining lists, as a power of ten", columns.seconds,
      [{ label: "power of ten", values: columns.remaining, colour: "--c2", points: last < 30 }], { xLabel: "seconds" });
  } else at("history-left").remove();
})();
