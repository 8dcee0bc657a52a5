"use strict";
/* The live page: sends a form, listens to the search, shows the report. */
(() => {
  const { found, make, name, joined, at, count, chart } = page;
  let source = null, plot = null, columns = [[], [], []];

  const say = (text) => { at("message").textContent = text; };

  async function send(path, body, headers) {
    const answer = await fetch(path, { method: "POST", body, headers });
    const read = await answer.json();
    if (!answer.ok) throw new Error(read.error);
    return read;
  }

  async function upload() {
    const [file] = at("file").files;
    if (!file) return;
    say("");
    try {
      if (file.size > found.most_bytes) throw new Error(`${file.name} is larger than ${found.most_bytes >> 20} MB`);
      const read = await send("upload", file, { "X-File-Name": encodeURIComponent(file.name), "Content-Type": "text/csv" });
      at("label").replaceChildren(...read.columns.map((column) => make("option", { value: column }, column)));
      at("label").value = read.columns[read.columns.length - 1];
      at("label").disabled = false;
      at("dataset").value = "";
    } catch (error) { say(error.message); at("file").value = ""; }
  }

  function group(which) {
    const listed = [...document.querySelectorAll(`[data-group="${which}"]`)].map((field) =>
      [field.dataset.name, field.type === "checkbox" ? field.checked : field.value]);
    return Object.fromEntries(listed);
  }

  async function start() {
    say("");
    const solver = at("solver").value;
    const form = {
      dataset: at("dataset").value, label: at("label").value, solver, regularization: at("regularization").value,
      table: group("table"), limits: group("limits"), options: group(`options-${solver}`),
    };
    try {
      await send("start", JSON.stringify(form), { "Content-Type": "application/json" });
      listen();
    } catch (error) { say(error.message); }
  }

  function listen() {
    columns = [[], [], []];
    at("live").hidden = false;
    at("kept").hidden = true;
    at("live-list").replaceChildren();
    running(true);
    if (!plot) {
      plot = chart(at("live-chart"), "Objective and lower bound over time; the table above has the numbers.", "Objective and lower bound",
        [], [{ label: "objective", values: [], colour: "--c1" }, { label: "lower bound", values: [], colour: "--c0", dash: [6, 4] }],
        { xLabel: "seconds", costs: true });
    }
    source = new EventSource("events");
    source.onmessage = (event) => show(JSON.parse(event.data));
  }

  function running(now) {
    at("start").disabled = now;
    at("stop").disabled = !now;
  }

  /* A number that only some searches know: without it there is no row. */
  function where(id, text) {
    at(id).parentElement.hidden = text === null;
    at(id).textContent = text ?? "-";
  }

  function show(state) {
    const { phase, moment, model } = state;
    if (moment) {
      const fixed = (value) => value.toFixed(6);
      at("live-seconds").textContent = moment.seconds.toFixed(1);
      at("live-objective").textContent = fixed(moment.objective);
      at("live-bound").textContent = fixed(moment.bound);
      at("live-gap").textContent = fixed(moment.objective - moment.bound);
      where("live-remaining", moment.remaining === null ? null : moment.remaining.toFixed(1));
      where("live-left", moment.left);
      columns[0].push(moment.seconds); columns[1].push(moment.objective); columns[2].push(moment.bound);
      plot.update(columns);
    }
    if (model) at("live-list").replaceChildren(...model.deciders.map((one) => item(one, model)));
    const told = { reading: "Reading the data.", searching: "The search runs.", done: `The search ended: ${state.stopped}.`, failed: "The search failed." };
    if (at("phase").textContent !== told[phase]) at("phase").textContent = told[phase];
    if (phase !== "done" && phase !== "failed") return;
    source.close();
    running(false);
    if (phase === "failed") { say(state.error); return; }
    at("kept").hidden = false;
    at("frame").src = "report";
  }

  function item(one, model) {
    const clauses = one.clauses.flatMap((clause, i) => [i ? (one.quantity === "all" ? " and also " : " or ") : " ", ...joined(clause.texts, clause.join)]);
    const outcome = one.stated === undefined ? name(`${model.label} = ${model.classes[one.then]}`)
      : name(`risk of ${model.label} = ${model.classes[1]}: ${(100 * one.stated).toFixed(1)}%`);
    return make("li", {}, make("strong", {}, one.lead), ...clauses, ": ", outcome,
      make("span", { class: "quiet" }, ` (${count(one.captured)} rows, ${count(one.errors)} wrong)`));
  }

  function solvers() {
    document.querySelectorAll("details.solver").forEach((one) => { one.hidden = one.dataset.solver !== at("solver").value; });
    at("price").hidden = at("solver").selectedOptions[0].dataset.priced !== "yes";
  }

  at("file").addEventListener("change", upload);
  at("start").addEventListener("click", start);
  at("stop").addEventListener("click", () => send("stop", "").catch((error) => say(error.message)));
  at("solver").addEventListener("change", solvers);
  at("start-form").addEventListener("submit", (event) => { event.preventDefault(); start(); });
  solvers();
  if (found.running) listen(); /* the page was opened again while its search runs */
})();
