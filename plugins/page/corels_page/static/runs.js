"use strict";
/* The runs: a table of them, and some of them beside each other. A run is {number, table:
   {name, rows, columns}, form: what was filled in, state: its last snapshot}. */
const runs = (() => {
  const { found, make, whole, item, at, count } = page;
  const ticked = new Set();
  let before = "";

  const size = (table) => `${count(table.rows)} rows, ${count(table.columns)} columns`;

  /* What was filled in, as [name, text]. */
  function settings({ form }) {
    const texts = { label: form.label, "what is learned": form.solver, description: form.description?.name ?? "", ...form.options };
    return Object.entries(texts).filter(([, value]) => value !== "")
      .map(([name, value]) => [found.words[name] ?? name.replaceAll("_", " "), value === true ? "yes" : [value].flat().join(", ")]);
  }

  /* How a run ended, as [name, text]; a failure has no numbers. */
  function results({ state }) {
    if (state.phase !== "done") return [["ended", state.phase === "failed" ? `failed: ${state.error}` : "it runs"]];
    const { objective, bound, seconds } = state.moment;
    return [["ended", state.stopped], ["objective", objective.toFixed(6)], ["lower bound", bound.toFixed(6)],
      ["gap", (objective - bound).toFixed(6)], ["seconds", seconds.toFixed(1)]];
  }

  const lines = (pairs) => pairs.map(([name, text]) => make("div", {}, `${name}: `, whole(text)));

  /* act: {open, fill}, called with a run; nothing can be opened while a search runs. What has not
     changed stays as it is: a reader may be about to press it. */
  function show(all, running, act) {
    const now = JSON.stringify([running, all.map(({ number, state }) => [number, state.phase])]);
    if (now === before) return;
    before = now;
    at("history").hidden = !all.length;
    for (const number of ticked) if (!all.some((run) => run.number === number)) ticked.delete(number);
    const button = (text, label, call) => {
      const made = make("button", { type: "button", disabled: running, "aria-label": label }, text);
      made.addEventListener("click", call);
      return made;
    };
    at("runs").replaceChildren(...[...all].reverse().map((run) => {
      const tick = make("input", { type: "checkbox", id: `tick-${run.number}`, checked: ticked.has(run.number) });
      tick.addEventListener("change", () => { ticked[tick.checked ? "add" : "delete"](run.number); compare(all); });
      return make("tr", {}, make("th", { scope: "row" }, tick, " ", make("label", { for: tick.id }, `run ${run.number}`),
        button("Open", `Open run ${run.number}`, () => act.open(run)), button("Fill in", `Fill in the settings of run ${run.number}`, () => act.fill(run))),
        make("td", { class: "word" }, make("div", {}, whole(run.table.name), `, ${size(run.table)}`), ...lines(settings(run))),
        make("td", { class: "word" }, ...lines(results(run))));
    }));
    compare(all);
  }

  /* The ticked runs, one a column; a line in which they differ says so. */
  function compare(all) {
    const some = all.filter((run) => ticked.has(run.number));
    at("compared").hidden = some.length < 2;
    if (some.length < 2) return;
    const line = (name, cells, differ) => make("tr", {}, make("th", { scope: "row" }, name, differ ? make("span", { class: "quiet" }, " (differs)") : null),
      ...cells.map((cell) => make("td", { class: "word" }, ...[cell].flat())));
    const told = (name, texts, mark) => line(name, texts.map((text) => (text === undefined ? "-" : whole(text))), mark && new Set(texts).size > 1);
    const part = (of, mark) => {
      const each = some.map((run) => new Map(of(run)));
      return [...new Set(each.flatMap((one) => [...one.keys()]))].map((name) => told(name, each.map((one) => one.get(name)), mark));
    };
    const models = some.map(({ state }) => (state.phase === "done" && state.model
      ? make("ol", { class: "plain" }, ...state.model.deciders.map((one) => item(one, state.model))) : "-"));
    at("compared").replaceChildren(make("h3", {}, "Compared"),
      new Set(some.map(({ form }) => form.scale)).size > 1 ? make("p", {}, "Tables, families, costs, prices or options of the family differ: the objectives may not mean the same.") : "",
      page.table(["Setting or result", ...some.map((run) => `run ${run.number}`)],
        [told("table", some.map(({ table }) => `${table.name}, ${size(table)}`), true), ...part(settings, true), ...part(results, false), line("model", models, false)]));
  }

  return { show, size };
})();
