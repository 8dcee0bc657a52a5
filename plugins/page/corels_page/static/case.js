"use strict";
/* My case: a form made from the conditions. An answer is the truth of each condition about a column,
   so that the form, the outcome and the search for a change all speak of the same thing. */
(() => {
  const { found, make, name, at } = page;
  const conditions = found.conditions;
  /* Words of the reader for columns, where there are some. */
  const called = (column) => (found.called && Object.hasOwn(found.called, column) ? found.called[column] : column);
  const about = (column) => (found.columns && Object.hasOwn(found.columns, column) ? found.columns[column] : "");
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

  /* The conditions of each column, in the order in which the model asks. */
  const columns = new Map();
  conditions.forEach((one, number) => {
    if (!columns.has(one.column)) columns.set(one.column, []);
    columns.get(one.column).push(number);
  });

  const comparing = (one) => one.operator === "<=" || one.operator === ">";
  /* Numbers are compared with numbers, and dates, which are text in one form, with dates. */
  const ordered = (value, other) => typeof value === typeof other;

  const excludes = (one, value) => (one.besides ?? []).some((each) => same(value, each));
  /* Whether a condition is true of a value; null is a missing value, and so is what it excludes. */
  function meets(one, answer) {
    const value = answer === null || excludes(one, answer) ? null : answer;
    if (one.operator === "missing") return value === null;
    if (value === null) return false;
    switch (one.operator) {
      case "present": return true;
      case "true": return value === true;
      case "false": return value === false;
      case "<=": return ordered(value, one.value) && value <= one.value;
      case ">": return ordered(value, one.value) && value > one.value;
      case "==": return same(value, one.value);
      case "in": return one.value.some((each) => same(value, each));
      case "not in": return !one.value.some((each) => same(value, each));
      default: return !same(value, one.value);
    }
  }
  /* 3 and "3" are one value read from two kinds of table, as in the library. */
  const same = (value, other) => value === other || (typeof value !== typeof other && String(value) === String(other));

  /* Answers that differ for the model: {text, value}, of numbers and dates rising, each with where it
     begins and ends. One of each kind is enough. */
  function answers(listed) {
    const kinds = listed.map((i) => conditions[i]);
    if (kinds.some((one) => one.operator === "true" || one.operator === "false")) {
      return [{ text: "no", value: false }, { text: "yes", value: true }];
    }
    const values = [...new Set(kinds.filter((one) => "value" in one).flatMap((one) => one.value))];
    if (kinds.some(comparing)) return regions(kinds, values.map(Number).filter(Number.isFinite));
    if (!values.length) return [{ text: "is known", value: {} }];
    return [...values.map((value) => ({ text: String(value), value })), other(kinds[0].column, values)];
  }

  /* Every other value of a column of names; by its name where training saw just one more. */
  function other(column, values) {
    const known = found.known && Object.hasOwn(found.known, column) ? found.known[column] : [];
    const rest = known.filter((one) => !values.some((each) => same(one, each)));
    if (rest.length === 1 && known.length === values.length + 1) return { text: String(rest[0]), value: rest[0] };
    return { text: values.length > 1 ? "something else" : `not ${values[0]}`, value: {} };
  }

  /* Whether a column is one of dates: what it is compared with is text. */
  const dated = (kinds) => kinds.some((one) => comparing(one) && typeof one.value === "string");

  /* A column of numbers or dates is cut at its thresholds; a value that is asked for stands alone.
     A date has a next text, itself and a zero character, which no other date is before. */
  function regions(kinds, numbers) {
    const text = dated(kinds);
    const dates = () => kinds.filter((one) => "value" in one).flatMap((one) => one.value);
    const cuts = text ? [...new Set(dates())].sort() : [...new Set(numbers)].sort((a, b) => a - b);
    const asked = kinds.filter((one) => "value" in one && !comparing(one)).flatMap((one) => one.value);
    const alone = new Set(text ? asked : asked.map(Number));
    const next = (value) => (text ? value + "\u0000" : value + 1);
    const inside = (low, high) => (text ? next(low ?? "") : low === null ? high - 1 : (low + high) / 2);
    /* Another value of the same region where some condition takes this one for missing. */
    const clear = (value, again) => (kinds.some((one) => excludes(one, value)) ? clear(again(value), again) : value);
    const between = (low, high) => clear(inside(low, high), (found) => inside(low, found));
    const words = text ? { above: "after", below: "before", most: "until", exactly: "on" }
      : { above: "above", below: "below", most: "at most", exactly: "exactly" };
    const found = [];
    cuts.forEach((cut, i) => {
      const below = i ? cuts[i - 1] : null;
      const from = below === null ? "" : `${words.above} ${below} and `;
      if (alone.has(cut)) {
        found.push({ text: `${from}${words.below} ${cut}`, value: between(below, cut), from: below, to: cut },
          { text: `${words.exactly} ${cut}`, value: cut, from: cut, to: cut });
      } else found.push({ text: `${from}${words.most} ${cut}`, value: clear(cut, (one) => inside(below, one)), from: below, to: cut });
    });
    const last = cuts[cuts.length - 1];
    found.push({ text: `${words.above} ${last}`, value: clear(next(last), next), from: last, to: null });
    return found;
  }

  const fields = [...columns].map(([column, listed], place) => {
    const kinds = listed.map((i) => conditions[i]);
    const numeric = kinds.some(comparing) && !dated(kinds);
    const cuts = numeric ? kinds.filter(comparing).map((one) => one.value) : [];
    const width = Math.max(...cuts) - Math.min(...cuts) || 1;
    return { column, listed, numeric, width, place, choices: answers(listed), id: `case-${place}` };
  });

  function control(field) {
    if (field.numeric) {
      return make("input", { id: field.id, type: "number", step: "any", inputmode: "decimal", placeholder: "not known" });
    }
    const options = field.choices.map((one, i) => make("option", { value: i, dir: "auto" }, one.text));
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

  /* The value that stands in a field; null where nothing does. */
  function value(field) {
    const typed = field.control.value;
    if (typed === "") return null;
    return field.numeric ? Number(typed) : field.choices[Number(typed)].value;
  }

  /* What is odd about a field of numbers: text, a code, or a value beyond all that training had. */
  function odd(field) {
    if (field.control.validity?.badInput) return "This is no number.";
    const given = value(field), [low, high] = ranges.get(field.column) ?? [-Infinity, Infinity];
    if (given === null || (!absent(field, given) && given >= low && given <= high)) return "";
    return absent(field, given) ? "This counts as no value." : `In training it was from ${low} to ${high}.`;
  }

  function truthOf(values) {
    const truth = new Array(conditions.length).fill(false);
    for (const field of fields) {
      for (const i of field.listed) truth[i] = meets(conditions[i], values[field.place]);
    }
    return truth;
  }

  /* Two outcomes are one where they say the same: of a falling list, the same risk. */
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
    : field.choices[Number(field.control.value)].text);

  /* What the case has wherever it settles whether a decider holds: ": age is 30, smoker is not known". */
  function because(formula, truth, holding) {
    const settling = asks(formula).filter((i) => truth[i] === holding);
    const listed = fields.filter((field) => field.listed.some((i) => settling.includes(i)));
    return listed.flatMap((field, i) => [i ? ", " : ": ", name(called(field.column)), " is ", name(typed(field))]);
  }

  /* Whether a question is open that the model asks until then. */
  const unanswered = (values, place) => {
    const asked = found.deciders.slice(0, place + 1).flatMap((one) => asks(one.formula));
    return fields.some((field) => values[field.place] === null && field.listed.some((i) => asked.includes(i)));
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
    const values = fields.map(value);
    fields.filter((field) => field.remark).forEach((field) => { field.remark.textContent = odd(field); });
    const known = values.some((entry) => entry !== null);
    const truth = truthOf(values);
    const place = known ? decided(truth) : -1;
    const open = known && unanswered(values, place);
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
    at("case-change").replaceChildren(changeText(change(values, place)));
  }

  /* The fewest answers whose change gives another outcome; of equal ones, numbers that move least. */
  function change(values, place) {
    const now = outcome(place);
    let trials = 0;
    for (let size = 1; size <= Math.min(MOST_CHANGES, fields.length); size++) {
      let best = null;
      for (const chosen of subsets(fields.length, size, 0)) {
        for (const picks of products(chosen.map((i) => targets(fields[i], values[i])))) {
          if (++trials > MOST_TRIALS) return { upTo: size - 1, best };
          const tried = values.slice();
          chosen.forEach((i, k) => { tried[i] = picks[k].value; });
          const reached = decided(truthOf(tried));
          if (outcome(reached) === now) continue;
          const far = chosen.reduce((sum, i, k) => sum + distance(values[i], picks[k], fields[i]), 0);
          if (best === null || far < best.far) best = { chosen, picks, reached, far };
        }
      }
      if (best !== null) return { best };
    }
    return { best: null, upTo: fields.length > MOST_CHANGES ? MOST_CHANGES : Infinity };
  }

  /* How far a number is from an answer: a part of the way between the outermost cuts. This, and the
     search above, are a short copy of corels/export/reasons.py; a test compares the two. */
  function distance(value, pick, field) {
    if (!field.numeric || absent(field, value)) return 1;
    const below = pick.from === null ? 0 : pick.from - value, above = pick.to === null ? 0 : value - pick.to;
    return Math.min(1, Math.max(below, above, 0) / field.width);
  }

  const absent = (field, value) => value === null || field.listed.some((i) => excludes(conditions[i], value));

  /* The answers that a person can give instead: "never", "up" or "down" of the description; and the
     parts of a date change together, or not at all. */
  const source = (field) => field.column.replace(/^(year|month|weekday|hour) of /, "");
  function targets(field, value) {
    const way = found.ways && Object.hasOwn(found.ways, field.column) ? found.ways[field.column] : "";
    const shared = fields.some((one) => one !== field && source(one) === source(field));
    if (way === "never" || shared || (way && absent(field, value))) return [];
    const answer = (given) => field.listed.map((i) => meets(conditions[i], given)).join();
    const alike = (one) => answer(one.value) === answer(value);
    if (!way) return field.choices.filter((one) => !alike(one));
    const here = field.choices.map((one, i) => (alike(one) ? i : -1)).filter((i) => i >= 0);
    const there = (i) => (way === "up" ? i > Math.max(...here) : i < Math.min(...here));
    return field.choices.filter((one, i) => there(i) && !alike(one));
  }

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
    const parts = chosen.flatMap((i, k) => [k ? " and " : "", name(called(fields[i].column)), ": ", name(picks[k].text)]);
    return make("p", {}, "The smallest change that gives another outcome: ", ...parts, ". Then ", ...inWords(reached), ".");
  }

  /* A row of the data as answers: the choices that make the same conditions true. */
  function fill(answers) {
    for (const field of fields) {
      const value = answers[field.listed[0]][1];
      const same = (one) => field.listed.every((i) => meets(conditions[i], one.value) === answers[i][0]);
      if (value !== null) field.control.value = field.numeric ? value : field.choices.findIndex(same);
    }
    show();
  }
  if (found.case) fill(found.case.answers);
  page.change = (values) => change(values, decided(truthOf(values)));

  form.addEventListener("input", show);
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
})();
