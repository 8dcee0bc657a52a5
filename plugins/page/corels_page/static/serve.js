"use strict";
/* The live page: loads a table, sends a form, listens to a search, shows its report, keeps its runs. */
(() => {
  const { found, make, whole, at, course } = page;
  let table = null;    // what is loaded: {number, name, dataset, label, rows, columns, labels, classes}
  let all = [];        // the runs
  let running = null;  // the number of the run that is not over
  let shown = null;    // the number of the run that the page shows
  let ended = false;   // whether all of it is there
  let heard = "";      // what the server has said last
  let loads = 0, loading = true, starting = false, begun = false, plot = null;

  const say = (text) => { at("message").textContent = text; };
  const LOOK = 200;    // milliseconds between two looks at what the server has
  const LOST = "There is no connection to the server: it has ended, or this machine was asleep.";

  async function send(path, body, headers) {
    const answer = await fetch(path, body === undefined ? {} : { method: "POST", body, headers })
      .catch(() => { throw new Error(LOST); });
    const read = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(read.error), { field: read.field });
    return read;
  }

  /* The fields of the form that are about what is learned, by the name of their option. */
  const fields = () => [...document.querySelectorAll("[data-name]")].filter((one) => !one.closest(".solver[hidden]"));

  /* A message stands at its field, if it is about one. */
  function wrong(error) {
    const field = fields().find((one) => one.dataset.name === error.field);
    if (!field) { say(error.message); return; }
    field.parentElement.querySelector(".wrong").textContent = error.message;
    const closed = field.closest("details");
    if (closed) closed.open = true;
    say("A field is not as expected: see there.");
    field.focus();
  }
  const clean = () => { say(""); document.querySelectorAll(".wrong").forEach((one) => { one.textContent = ""; }); };

  /* Ask for what the server has, again and again. */
  async function listen() {
    try {
      const now = await send("state"), text = JSON.stringify(now);
      if (text !== heard) { heard = text; await update(now); }
    } catch (error) {
      if (at("message").textContent !== error.message) say(error.message); /* once: it is an alert */
      if (error.message === LOST) {
        heard = "";
        if (shown !== null && !ended) at("phase").textContent = "What stands here is the last that it said.";
        at("stop").disabled = true;
      }
    }
    setTimeout(listen, heard ? LOOK : 10 * LOOK);
  }

  async function update(now) {
    const before = table?.number;
    if (at("message").textContent === LOST) say("");
    ({ table, running, runs: all } = now);
    if (table && table.number !== before) choices();
    if (!begun) {
      begun = true;
      loading = false;
      if (table === null) await load(`load?dataset=${at("dataset").options[1].value}`, "");
      const last = all.find((run) => run.number === running) ?? all[all.length - 1];
      if (last) { await fill(last); watch(last.number); } /* the form is that of its run */
    }
    fresh();
    show();
  }

  const options = (place, first, names) => place.replaceChildren(...[...first, ...names.map((one) => [one, one])]
    .map(([value, text]) => make("option", { value }, text)));

  /* What depends on the table, the runs and what is going on. */
  function fresh() {
    if (table && !loading) at("loaded").replaceChildren(whole(table.name), `, ${runs.size(table)}${table.dataset ? ", built in" : ""}`);
    else at("loaded").textContent = loading ? "being read" : "none: choose a built-in table or a file";
    at("dataset").value = table?.dataset ?? "";
    at("start").disabled = running !== null || loading || starting || !table;
    at("stop").disabled = running === null;
    runs.show(all, running !== null, { open: (run) => watch(run.number), fill: (run) => { fill(run).catch(wrong); at("choose").scrollIntoView(); } });
  }

  /* The columns of a new table, to choose from. */
  function choices() {
    options(at("label"), [["", "choose a column"]], table.labels);
    at("label").value = table.label;
    at("label").disabled = false;
    document.querySelectorAll("[data-columns]").forEach((one) => options(one, one.multiple ? [] : [["", "none"]], table.labels));
    classes();
  }

  /* The classes of the label, to choose the positive one from. */
  function classes() {
    const known = table.classes[at("label").value] ?? [];
    options(at("positive"), [["", known.length === 2 ? `as usual (${known[1]})` : "as usual"]], known);
  }

  /* A table that cannot be read leaves the one before it. */
  async function load(path, body, headers) {
    const mine = ++loads;
    clean();
    loading = true;
    fresh();
    try {
      const read = await send(path, body, headers);
      if (mine === loads) {
        table = read;
        choices();
        if (running === null) clear(); /* a run of another table: the history has it */
      }
    } catch (error) {
      if (mine === loads) { say(error.message); at("file").value = ""; }
    }
    if (mine === loads) { loading = false; fresh(); }
  }

  /* A file that is too large is sent up to one byte more than may be: the server refuses it. */
  function upload() {
    const [file] = at("file").files;
    if (file) load("load", file.slice(0, found.most_bytes + 1), { "X-File-Name": encodeURIComponent(file.name), "Content-Type": "text/csv" });
  }

  /* A description of the columns, as it will be sent: {name, text}, or null. */
  let description = null;
  function describe(given) {
    description = given ?? null;
    at("described").textContent = description ? `${description.name} is loaded` : "none is loaded";
  }
  at("description").addEventListener("change", async () => {
    const [file] = at("description").files;
    describe(file ? { name: file.name, text: await file.text() } : null);
  });

  /* What a field says, and saying it. */
  const said = (one) => (one.type === "checkbox" ? one.checked : one.multiple ? [...one.selectedOptions].map((each) => each.value) : one.value);
  function put(one, value) {
    if (one.type === "checkbox") one.checked = value ?? one.defaultChecked;
    else if (one.multiple) for (const each of one.options) each.selected = (value ?? []).includes(each.value);
    else one.value = value ?? "";
  }
  const apart = ["label", "description"]; // they are no options

  /* The settings of a run, in the form again. */
  async function fill({ form, table: its, number }) {
    if (form.dataset && table.dataset !== form.dataset) await load(`load?dataset=${form.dataset}`, "");
    else if (!form.dataset && table?.number !== form.table) say(`The table ${its.name} of run ${number} is not loaded any more: choose its file again.`);
    at("solver").value = form.solver;
    solvers();
    describe(form.description);
    if (table.labels.includes(form.label)) { at("label").value = form.label; classes(); }
    for (const one of fields()) if (!apart.includes(one.dataset.name)) put(one, form.options[one.dataset.name]);
  }

  async function start() {
    if (at("start").disabled) return;
    clean();
    starting = true; fresh();
    const filled = fields().filter((one) => !apart.includes(one.dataset.name)).map((one) => [one.dataset.name, said(one)]);
    const form = { table: table.number, label: at("label").value, solver: at("solver").value, description, options: Object.fromEntries(filled) };
    try {
      const { run } = await send("start", JSON.stringify(form), { "Content-Type": "application/json" });
      if (!all.some((one) => one.number === run)) running = run; /* or more has been heard of it: it may be over */
      watch(run);
      at("live").scrollIntoView();
    } catch (error) { wrong(error); }
    starting = false; fresh();
  }

  /* Nothing of a run is left on the page. */
  function clear() {
    shown = null;
    ended = false;
    if (plot) plot.update([[], [], []]);
    for (const id of ["seconds", "objective", "bound", "gap"]) at(`live-${id}`).textContent = "-";
    where("live-remaining", null);
    where("live-left", null);
    for (const id of ["live-run", "live-list", "notes", "phase"]) at(id).replaceChildren();
    at("frame").removeAttribute("src");
    for (const id of ["live", "kept"]) at(id).hidden = true;
  }

  /* A number that only some searches know: without it there is no row. */
  function where(id, text) {
    at(id).parentElement.hidden = text === null;
    at(id).textContent = text ?? "-";
  }

  /* Show a run, and what becomes of it. */
  function watch(number) {
    clear();
    shown = number;
    at("live").hidden = at("numbers").hidden = at("figures").hidden = false;
    plot ??= course(at("live-chart"), "Objective and lower bound over time; the table above has the numbers.", [[], [], []]);
    show();
  }

  function show() {
    const run = all.find((one) => one.number === shown);
    if (!run || ended) return;
    const { phase, moment, model, course, notes, doing, stopped, error } = run.state;
    at("live-run").replaceChildren(`Run ${shown}: `, whole(run.table.name), `, ${runs.size(run.table)}`);
    if (notes) at("notes").replaceChildren(...notes.map((note) => make("li", {}, whole(note))));
    if (course) plot.update(course);
    if (moment) {
      const fixed = (value) => value.toFixed(6);
      at("live-seconds").textContent = moment.seconds.toFixed(1);
      at("live-objective").textContent = fixed(moment.objective);
      at("live-bound").textContent = fixed(moment.bound);
      at("live-gap").textContent = fixed(moment.objective - moment.bound);
      where("live-remaining", moment.remaining === null ? null : moment.remaining.toFixed(1));
      where("live-left", moment.left);
    }
    if (model) at("live-list").replaceChildren(...model.deciders.map((one) => page.item(one, model)));
    const told = { reading: doing ? `${doing[0].toUpperCase()}${doing.slice(1)}.` : "Reading the data.", searching: "The search runs.", done: `The search ended: ${stopped}.`, failed: `The search failed: ${error}` };
    if (at("phase").textContent !== told[phase]) at("phase").textContent = told[phase];
    ended = phase === "done" || phase === "failed";
    if (!ended) return;
    at("numbers").hidden = phase === "failed";
    at("figures").hidden = true; /* the report has the numbers and the chart */
    at("kept").hidden = phase === "failed";
    if (phase === "failed") return;
    const place = `runs/${shown}`;
    at("keep").href = `${place}/report?keep=1`;
    at("keep-model").href = `${place}/model`;
    at("keep-description").href = `${place}/description`;
    at("alone").href = at("frame").src = `${place}/report`;
  }

  function solvers() {
    document.querySelectorAll(".solver").forEach((one) => { one.hidden = !one.dataset.solvers.split(" ").includes(at("solver").value); });
  }

  at("file").addEventListener("change", upload);
  at("dataset").addEventListener("change", () => { if (at("dataset").value) load(`load?dataset=${at("dataset").value}`, ""); });
  at("label").addEventListener("change", classes);
  at("stop").addEventListener("click", () => send("stop", "").catch(wrong));
  at("solver").addEventListener("change", solvers);
  at("start-form").addEventListener("submit", (event) => { event.preventDefault(); start(); });
  addEventListener("message", (event) => {
    if (event.source === at("frame").contentWindow && Number.isFinite(event.data?.height)) at("frame").style.height = `${event.data.height + 4}px`;
  });
  solvers();
  listen();
})();
