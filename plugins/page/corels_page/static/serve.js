"use strict";
/* The live page of one tab: sends a form, listens to a search, shows its report, keeps its runs. */
(() => {
  const { found, make, whole, at, count, chart } = page;
  const KEPT = "corels-tab";
  let tab = null;      // its name at the server
  let table = null;    // what is loaded: {number, name, rows, columns, labels}
  let all = [];        // the runs
  let running = null;  // the number of the run that is not over
  let uploads = 0, loading = false, starting = false;
  let source = null, plot = null, columns = [[], [], []];

  const say = (text) => { at("message").textContent = text; };
  const own = (path) => `tabs/${tab}${path}`;

  const LOST = "There is no connection to the server: it has ended, or this machine was asleep.";

  async function send(path, body, headers) {
    const answer = await fetch(path, body === undefined ? {} : { method: "POST", body, headers })
      .catch(() => { throw new Error(LOST); });
    const read = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(read.error), { field: read.field });
    return read;
  }

  /* A message stands at its field, if it is about one. */
  function wrong(error) {
    const place = error.field ? at(`${error.field}-wrong`) : null;
    if (!place) { say(error.message); return; }
    place.textContent = error.message;
    const closed = place.closest("details");
    if (closed) closed.open = true;
    say("A field is not as expected: see there.");
    at(error.field).focus();
  }
  const clean = () => { say(""); document.querySelectorAll(".wrong").forEach((one) => { one.textContent = ""; }); };

  /* The name of a tab is in its storage only while its page is closed: a page that is loaded again
     goes on, a copy of an open tab finds nothing there and begins its own. */
  async function begin() {
    const kept = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    const again = kept === null ? null : await send(`tabs/${kept}`).catch(() => null);
    const told = again ?? await send("tabs", "");
    if (told.table) at("dataset").value = "";
    take(told);
    const last = all.find((run) => run.number === running) ?? all[all.length - 1];
    if (last) { fill(last); listen(last.number); } /* the form is that of its run */
  }

  function take(told) {
    ({ tab, table, running, runs: all } = told);
    fresh();
  }
  const refresh = async () => take(await send(own("")));

  /* What depends on the table, the runs and what is going on. */
  function fresh() {
    const built = at("dataset").value;
    const labels = built || !table ? [] : table.labels;
    if (built) at("loaded").replaceChildren(whole(built), `, ${count(at("dataset").selectedOptions[0].dataset.rows)} rows, built in`);
    else if (table) at("loaded").replaceChildren(whole(table.name), `, ${runs.size(table)}`);
    else at("loaded").textContent = loading ? "being read" : "none: choose a built-in table or a file";
    const chosen = at("label").value;
    const first = make("option", { value: "" }, built ? "as the built-in table says" : labels.length ? "choose a column" : "no table is loaded");
    at("label").replaceChildren(first, ...labels.map((label) => make("option", { value: label }, label)));
    if (labels.includes(chosen)) at("label").value = chosen;
    at("label").disabled = !labels.length;
    at("columns").replaceChildren(...labels.map((label) => make("option", { value: label })));
    classes();
    at("start").disabled = tab === null || running !== null || loading || starting || !(built || table);
    at("stop").disabled = running === null;
    runs.show(all, running !== null, { open: (run) => listen(run.number), fill: (run) => { fill(run); at("choose").scrollIntoView(); } });
  }

  /* The classes of the label, to choose the positive one from. */
  function classes() {
    const positive = at("table-positive"), kept = positive.value;
    const known = (!at("dataset").value && table?.classes[at("label").value]) || [];
    const usual = known.length === 2 ? `as usual (${known[1]})` : "as usual";
    positive.replaceChildren(make("option", { value: "" }, usual), ...known.map((one) => make("option", { value: one }, one)));
    if (known.includes(kept)) positive.value = kept;
  }

  /* A file that cannot be read leaves the table before it. One that is too large is sent up to one
     byte more than may be: the server refuses it like any other. */
  async function upload() {
    const [file] = at("file").files;
    if (!file) return;
    const mine = ++uploads;
    clean();
    loading = true;
    fresh();
    try {
      const headers = { "X-File-Name": encodeURIComponent(file.name), "Content-Type": "text/csv" };
      const read = await send(own("/upload"), file.slice(0, found.most_bytes + 1), headers);
      if (mine === uploads) {
        table = read; at("dataset").value = "";
        if (running === null) clear(); /* a run of another table: the history has it */
      }
    } catch (error) {
      if (mine === uploads) { say(error.message); at("file").value = ""; }
    }
    if (mine === uploads) { loading = false; fresh(); }
  }

  /* A description of the columns, as it will be sent: {name, text}, or null. */
  let description = null;
  function describe(given) {
    description = given ?? null;
    at("described").textContent = description ? `${description.name} is loaded` : "none is loaded";
    at("description-wrong").textContent = "";
  }
  at("description").addEventListener("change", async () => {
    const [file] = at("description").files;
    describe(file ? { name: file.name, text: await file.text() } : null);
  });

  const fields = (which) => [...document.querySelectorAll(`[data-group="${which}"]`)];

  function group(which) {
    return Object.fromEntries(fields(which).map((field) => [field.dataset.name, field.type === "checkbox" ? field.checked : field.value]));
  }

  /* The settings of a run, in the form again. */
  function fill({ form, table: its, number }) {
    const gone = !form.dataset && table?.number !== form.upload;
    say(gone ? `The table ${its.name} of run ${number} is not loaded any more: choose its file again.` : "");
    at("dataset").value = form.dataset;
    fresh();
    if (!at("label").disabled && table.labels.includes(form.label)) at("label").value = form.label;
    classes();
    describe(form.description);
    at("solver").value = form.solver;
    if (form.regularization) at("regularization").value = form.regularization;
    for (const [which, told] of [["table", form.table], ["limits", form.limits], [`options-${form.solver}`, form.options]]) {
      for (const field of fields(which)) {
        if (field.type === "checkbox") field.checked = told[field.dataset.name] ?? field.defaultChecked;
        else field.value = told[field.dataset.name] ?? "";
      }
    }
    solvers();
  }

  async function start() {
    if (at("start").disabled) return;
    clean();
    starting = true; fresh();
    const solver = at("solver").value;
    const form = {
      dataset: at("dataset").value, upload: table?.number, label: at("label").value, solver, regularization: at("regularization").value,
      description, table: group("table"), limits: group("limits"), options: group(`options-${solver}`),
    };
    try {
      const { run } = await send(own("/start"), JSON.stringify(form), { "Content-Type": "application/json" });
      starting = false;
      await refresh();
      listen(run);
      at("live").scrollIntoView();
    } catch (error) { wrong(error); }
    starting = false; fresh();
  }

  /* Nothing of a run is left on the page. */
  function clear() {
    if (source) source.close();
    columns = [[], [], []];
    if (plot) plot.update(columns);
    for (const id of ["seconds", "objective", "bound", "gap"]) at(`live-${id}`).textContent = "-";
    where("live-remaining", null);
    where("live-left", null);
    for (const id of ["live-list", "notes"]) at(id).replaceChildren();
    at("phase").textContent = "";
    at("frame").removeAttribute("src");
    for (const id of ["live", "kept"]) at(id).hidden = true;
  }

  /* Show a run, and what becomes of it. */
  function listen(number) {
    clear();
    const run = all.find((one) => one.number === number);
    at("live-run").replaceChildren(`Run ${number}: `, whole(run.table.name), `, ${runs.size(run.table)}`);
    at("live").hidden = at("numbers").hidden = at("figures").hidden = false;
    if (!plot) {
      plot = chart(at("live-chart"), "Objective and lower bound over time; the table above has the numbers.", "Objective and lower bound",
        [], [{ label: "objective", values: [], colour: "--c1" }, { label: "lower bound", values: [], colour: "--c0", dash: [6, 4] }],
        { xLabel: "seconds", costs: true });
    }
    source = new EventSource(own(`/runs/${number}/events`));
    source.onmessage = (event) => { if (at("message").textContent === LOST) say(""); show(JSON.parse(event.data), number); };
    source.onerror = () => { /* the browser tries again, unless the server knows the run no more */
      say(LOST); at("phase").textContent = "What stands here is the last that it said."; at("stop").disabled = true;
    };
  }

  /* A number that only some searches know: without it there is no row. */
  function where(id, text) {
    at(id).parentElement.hidden = text === null;
    at(id).textContent = text ?? "-";
  }

  function show(state, number) {
    const { phase, moment, model, course, notes } = state;
    if (notes) at("notes").replaceChildren(...notes.map((note) => make("li", {}, whole(note))));
    if (course) columns = ["seconds", "objective", "bound"].map((name) => course.map((one) => one[name]));
    if (moment) {
      const fixed = (value) => value.toFixed(6);
      at("live-seconds").textContent = moment.seconds.toFixed(1);
      at("live-objective").textContent = fixed(moment.objective);
      at("live-bound").textContent = fixed(moment.bound);
      at("live-gap").textContent = fixed(moment.objective - moment.bound);
      where("live-remaining", moment.remaining === null ? null : moment.remaining.toFixed(1));
      where("live-left", moment.left);
      if (!course) { columns[0].push(moment.seconds); columns[1].push(moment.objective); columns[2].push(moment.bound); }
      plot.update(columns);
    }
    if (model) at("live-list").replaceChildren(...model.deciders.map((one) => page.item(one, model)));
    at("stop").disabled = running === null;
    const told = { reading: state.doing ? `${state.doing[0].toUpperCase()}${state.doing.slice(1)}.` : "Reading the data.", searching: "The search runs.", done: `The search ended: ${state.stopped}.`, failed: `The search failed: ${state.error}` };
    if (at("phase").textContent !== told[phase]) at("phase").textContent = told[phase];
    if (phase !== "done" && phase !== "failed") return;
    source.close();
    if (running === number) { running = null; refresh().catch((error) => say(error.message)); }
    at("numbers").hidden = phase === "failed";
    at("figures").hidden = true; /* the report has the numbers and the chart */
    if (phase === "failed") return;
    at("kept").hidden = false;
    const place = own(`/runs/${number}`);
    at("keep").href = `${place}/report?keep=1`;
    at("keep-model").href = `${place}/model`;
    at("keep-description").href = `${place}/description`;
    at("alone").href = at("frame").src = `${place}/report`;
  }

  function solvers() {
    document.querySelectorAll(".solver").forEach((one) => { one.hidden = one.dataset.solver !== at("solver").value; });
    at("price").hidden = at("solver").selectedOptions[0].dataset.priced !== "yes";
  }

  at("file").addEventListener("change", upload);
  at("dataset").addEventListener("change", fresh);
  at("label").addEventListener("change", classes);
  at("stop").addEventListener("click", () => send(own("/stop"), "").catch(wrong));
  at("solver").addEventListener("change", solvers);
  at("start-form").addEventListener("submit", (event) => { event.preventDefault(); start(); });
  addEventListener("message", (event) => {
    if (event.source === at("frame").contentWindow && Number.isFinite(event.data?.height)) at("frame").style.height = `${event.data.height + 4}px`;
  });
  addEventListener("pagehide", () => { if (tab) sessionStorage.setItem(KEPT, tab); });
  addEventListener("pageshow", (event) => { if (event.persisted) sessionStorage.removeItem(KEPT); });
  solvers();
  begin().catch((error) => say(error.message));
})();
