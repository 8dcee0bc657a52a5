"use strict";
/* The exact path: a slider over its lists, and their accuracies by length. */
(() => {
  const { found, item, at, weight, chart } = page;
  const lists = found.path;
  const percent = (value) => (100 * value).toFixed(1) + "%";
  const slider = at("path-slider");

  function summary(one) {
    const rules = one.length === 1 ? "1 rule" : `${one.length} rules`;
    const held = one.held_out === null || one.held_out === undefined ? "" : `, ${percent(one.held_out)} held out`;
    const right = one.accuracy === null ? "" : `: ${percent(one.accuracy)} of the training rows are right`;
    const cost = one.cost === undefined || one.cost === null ? `${weight(one.errors)} errors` : `mean cost ${one.cost.toPrecision(4)}`;
    return `${rules}, ${cost}${right}${held}. `
      + `The best list while a rule costs between ${one.low.toPrecision(4)} and ${one.high.toPrecision(4)}`
      + (one.certified ? ", certified." : "; not proved.");
  }

  function show() {
    const one = lists[Number(slider.value)];
    slider.setAttribute("aria-valuetext", `${one.length} rules`);
    at("path-text").textContent = summary(one);
    at("path-list").replaceChildren(...one.deciders.map((each) => item(each, one)));
  }
  slider.addEventListener("input", show);
  show();

  const shown = lists.slice().reverse();
  const series = [{ label: "training", values: shown.map((one) => 100 * one.accuracy), colour: "--c0", points: true, width: 6 }];
  if (lists.some((one) => typeof one.held_out === "number")) {
    series.push({ label: "held out", values: shown.map((one) => (typeof one.held_out === "number" ? 100 * one.held_out : null)),
      colour: "--c1", dash: [6, 4], points: true });
  }
  if (lists.length > 1) {
    const told = shown.map((one) => `${one.length} rules: ${percent(one.accuracy)}`).join("; ");
    chart(at("path-chart"), `Accuracy by number of rules. ${told}.`, "Right predictions, in percent",
      shown.map((one) => one.length), series, { xLabel: "rules", whole: true });
  } else at("path-chart").remove();
})();
