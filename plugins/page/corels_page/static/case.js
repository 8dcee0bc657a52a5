"use strict";
/* My case: a form made from the conditions. An answer is the truth of each condition about a column,
   so that the form, the outcome and the search for a change all speak of the same thing. */
(() => {
  const { found, make, name, at } = page;
  /* Words of the reader for columns, if there are some. */
  const called = (column) => (Object.hasOwn(found.called, column) ? found.called[column] : column);
  const about = (column) => (Object.hasOwn(found.columns, column) ? found.columns[column] : "");
  const MOST_CHANGES = 3, MOST_TRIALS = 200000;

  function holds(formula, truth) {
    if (typeof formula === "number") return truth[formula];
    if (formula.points) return sum(formula, truth) >= formula.least;
    if (formula.all) return formula.all.every((part) => holds(part, truth));
    return formula.any.some((part) => holds(part, truth));
  }
  /* The points that a decider of points gives, and in words those of all that were asked. */
  const sum = (formula, truth) => formula.points.reduce((all, points, i) => all + (holds(formula.of[i], truth) ? points : 0), 0);
  const counted = (truth, last) => found.deciders.slice(0, last + 1).filter((one) => one.formula.points)
    .map((one) => ` (${sum(one.formula, truth)} points, ${one.formula.least} are needed)`).join("");
  const decided = (truth) => found.deciders.findIndex((one) => holds(one.formula, truth));

  /* A field is a column with its cells, sets of values that every condition treats alike. */
  const fields = found.asked.map((one, place) => ({ ...one, place, id: `case-${place}`, numeric: one.cuts.length > 0,
    width: Math.max(...one.cuts) - Math.min(...one.cuts) || 1 }));
  /* 3 and "3" are one value read from two kinds of table, as in the library. */
  const same = (value, other) => value === other || (typeof value !== typeof other && String(value) === String(other));

  /* Of a value the cell, and whether it counts as no value; null is none. */
  function answer(field, value) {
    const inside = ([kind, own, low, high]) => {
      if (kind === "missing" || value === null) return kind === "missing" && value === null;
      if (kind !== "between") return kind === "other" || same(value, own);
      return typeof value === typeof (low ?? high) && (low === null || value > low) && (high === null || value < high);
    };
    const first = (...kinds) => field.pieces.findIndex((one) => kinds.includes(one[0]) && inside(one));
    const found = [first("value", "code", "missing"), first("between"), first("other")].find((one) => one >= 0);
    const piece = found ?? field.pieces.length - 1;
    const cell = field.cells.findIndex((one) => one.pieces.includes(piece));
    return { value, cell, absent: ["code", "missing"].includes(field.pieces[piece][0]) };
  }
  function control(field) {
    if (field.numeric) {
      return make("input", { id: field.id, type: "number", step: "any", inputmode: "decimal", placeholder: "not known" });
    }
    const options = field.cells.flatMap(({ text }, i) => (text === null ? [] : [make("option", { value: i, dir: "auto" }, text)]));
    return make("select", { id: field.id }, make("option", { value: "" }, "not known"), ...options);
  }

  const ranges = new Map((found.spread ?? []).map((one) => [one.column, one.range]));
  const form = at("case-form");
  for (const field of fields) {
    field.control = control(field);
    field.remark = field.numeric ? make("small", { class: "quiet", id: `${field.id}-remark`, role: "status" }) : null;
    const beside = about(field.column) ? make("small", { class: "quiet", id: `${field.id}-about` }, name(about(field.column))) : null;
    form.append(make("p", {}, make("label", { for: field.id }, name(called(field.column))), field.control, beside, field.remark));
    const described = [beside && `${field.id}-about`, field.remark && `${field.id}-remark`].filter(Boolean);
    if (described.length) field.control.setAttribute("aria-describedby", described.join(" "));
  }
  form.append(make("p", {}, make("button", { type: "reset" }, "Start again")));

  /* What stands in a field. */
  function given(field) {
    const typed = field.control.value;
    if (typed === "") return answer(field, null);
    return field.numeric ? answer(field, Number(typed)) : { value: {}, cell: Number(typed), absent: false };
  }

  /* What is odd about a field of numbers: text, a code, or a value beyond all that training had. */
  function odd(field) {
    if (field.control.validity?.badInput) return "This is no number.";
    const { value, absent } = given(field), [low, high] = ranges.get(field.column) ?? [-Infinity, Infinity];
    if (value === null || (!absent && value >= low && value <= high)) return "";
    return absent ? "This counts as no value." : `In training it was from ${low} to ${high}.`;
  }

  function truthOf(answers) {
    const truth = [];
    for (const field of fields) {
      field.conditions.forEach((i, k) => { truth[i] = field.cells[answers[field.place].cell].truth[k]; });
    }
    return truth;
  }

  /* Two outcomes are one if they say the same: of a falling list, the same risk. */
  const outcome = (place) => {
    const one = found.deciders[place];
    return one.stated === undefined ? String(one.then) : String(one.stated);
  };

  function inWords(place) {
    const one = found.deciders[place];
    if (one.stated === undefined) return [make("strong", {}, name(`${found.label} = ${found.classes[one.then]}`))];
    return ["the risk of ", name(`${found.label} = ${found.classes[1]}`), " is ",
      make("strong", {}, (100 * one.stated).toFixed(1) + "%")];
  }

  const asks = (formula) => (typeof formula === "number" ? [formula] : (formula.all ?? formula.any ?? formula.of).flatMap(asks));
  const typed = (field) => (field.control.value === "" || field.numeric ? field.control.value || "not known"
    : field.cells[Number(field.control.value)].text);

  /* What the case has wherever it settles whether a decider holds: ": age is 30, smoker is not known". */
  function because(formula, truth, holding) {
    const settling = asks(formula).filter((i) => truth[i] === holding);
    const listed = fields.filter((field) => field.conditions.some((i) => settling.includes(i)));
    return listed.flatMap((field, i) => [i ? ", " : ": ", name(called(field.column)), " is ", name(typed(field))]);
  }

  /* Whether a question is open that the model asks until then. */
  const unanswered = (answers, place) => {
    const asked = found.deciders.slice(0, place + 1).flatMap((one) => asks(one.formula));
    return fields.some((field) => answers[field.place].value === null && field.conditions.some((i) => asked.includes(i)));
  };

  /* The way of the case through the model: what does not hold, what decides, what is not asked. */
  function way(place, truth, open) {
    document.querySelectorAll(".rules > li").forEach((item, i) => {
      item.querySelector(".badge")?.remove();
      ["passed", "decides", "unasked"].forEach((kind, k) => item.classList.toggle(kind, place >= 0 && Math.sign(i - place) === k - 1));
      if (place < 0) return;
      const words = i < place ? "Does not hold" : i > place ? "Not asked" : open ? "This would decide your case" : "This decides your case";
      const reason = i > place ? [] : because(found.deciders[i].formula, truth, i === place);
      item.prepend(make("p", { class: "badge" }, words, ...reason));
    });
  }

  function show() {
    const answers = fields.map(given);
    fields.filter((field) => field.remark).forEach((field) => { field.remark.textContent = odd(field); });
    const known = answers.some(({ value }) => value !== null);
    const truth = truthOf(answers);
    const place = known ? decided(truth) : -1;
    const open = known && unanswered(answers, place);
    way(place, truth, open);
    at("case").classList.toggle("answered", known);
    if (!known) {
      at("case-outcome").replaceChildren();
      at("case-change").replaceChildren();
      return;
    }
    const one = found.deciders[place];
    const verb = open ? "would decide" : "decides";
    const which = one.clauses.length ? `${open ? "rule" : "Rule"} ${place + 1} ${verb}: ` : `${open ? "nothing" : "Nothing"} above it holds, so the last line ${verb}: `;
    at("case-outcome").replaceChildren(make("p", {}, open ? "If what is not known stays so, " : "", which, ...inWords(place), counted(truth, place), ". ",
      make("a", { href: `#rule-${place + 1}` }, "See it in the model"), "."));
    at("case-change").replaceChildren(changeText(change(answers, place)));
  }

  /* The fewest answers whose change gives another outcome; of equal ones, numbers that move least. */
  function change(answers, place) {
    const now = outcome(place);
    let trials = 0;
    for (let size = 1; size <= Math.min(MOST_CHANGES, fields.length); size++) {
      let best = null;
      for (const chosen of subsets(fields.length, size, 0)) {
        for (const picks of products(chosen.map((i) => targets(fields[i], answers[i])))) {
          if (++trials > MOST_TRIALS) return { upTo: size - 1, best };
          const tried = answers.slice();
          chosen.forEach((i, k) => { tried[i] = { cell: picks[k] }; });
          const reached = decided(truthOf(tried));
          if (outcome(reached) === now) continue;
          const far = chosen.reduce((sum, i, k) => sum + distance(answers[i], picks[k], fields[i]), 0);
          if (best === null || far < best.far) best = { chosen, picks, reached, far };
        }
      }
      if (best !== null) return { best };
    }
    return { best: null, upTo: fields.length > MOST_CHANGES ? MOST_CHANGES : Infinity };
  }

  /* How far a number is from an answer: a part of the way between the outermost cuts. This, and the
     search above, are a short copy of corels/export/reasons.py; a test compares the two. */
  function distance({ value, absent }, cell, field) {
    if (!field.numeric || absent) return 1;
    const away = field.cells[cell].pieces.map((one) => field.pieces[one]).flatMap(([kind, own, low, high]) => {
      if (["code", "missing"].includes(kind)) return [];
      return Math.max((kind === "value" ? own : low ?? -Infinity) - value, value - (kind === "value" ? own : high ?? Infinity), 0);
    });
    return Math.min(1, Math.min(...away) / field.width);
  }

  /* The cells that a person can reach instead. */
  const targets = (field, { cell, absent }) => (field.way && absent ? [] : field.cells[cell].reach);

  function* subsets(n, size, from) {
    if (size === 0) { yield []; return; }
    for (let i = from; i <= n - size; i++) {
      for (const rest of subsets(n, size - 1, i + 1)) yield [i, ...rest];
    }
  }

  function* products(lists) {
    if (!lists.length) { yield []; return; }
    for (const first of lists[0]) for (const rest of products(lists.slice(1))) yield [first, ...rest];
  }

  function changeText(result) {
    if (result.best === null) {
      return make("p", {}, result.upTo < Infinity
        ? `No change of up to ${result.upTo} answers gives another outcome; more were not tried.`
        : "No change of the answers gives another outcome.");
    }
    const { chosen, picks, reached } = result.best;
    const parts = chosen.flatMap((i, k) => [k ? " and " : "", name(called(fields[i].column)), ": ", name(fields[i].cells[picks[k]].text)]);
    return make("p", {}, "The smallest change that gives another outcome: ", ...parts, ". Then ", ...inWords(reached), ".");
  }

  if (found.case) { /* a row of the data as answers */
    const { values, cells } = found.case;
    fields.forEach((field, i) => { if (values[i] !== null) field.control.value = field.numeric ? values[i] : cells[i]; });
    show();
  }
  page.change = (values) => {
    const answers = fields.map((field, i) => answer(field, values[i]));
    return change(answers, decided(truthOf(answers)));
  };

  form.addEventListener("input", show);
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
})();
