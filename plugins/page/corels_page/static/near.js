"use strict";
/* Near-optimal lists, filtered by typed arrays: lists are numbers, names are looked up when shown. */
(() => {
  const { found, make, at, name, count, share } = page;
  const { names, classes, lists, rates } = found.near;
  const AT_ONCE = 50, MOST_USED = 200;
  const lower = names.map((text) => text.toLowerCase());
  let kept = [], shown = 0; /* kept: the places of the lists that the filter leaves, in order */

  at("near-names").append(...names.slice(0, 500).map((text) => make("option", { value: text })));

  /* Which names a typed text means: the one that is equal, or else all that contain it. */
  function meant(typed) {
    const text = typed.trim().toLowerCase();
    if (!text) return null;
    const exact = lower.indexOf(text);
    const found = new Uint8Array(names.length);
    lower.forEach((candidate, i) => { found[i] = exact >= 0 ? +(i === exact) : +candidate.includes(text); });
    return found;
  }

  function filter() {
    const use = meant(at("near-use").value), avoid = meant(at("near-avoid").value);
    const typed = at("near-length").value;
    const most = typed === "" ? Infinity : Number(typed);
    const key = Number(at("near-sort").value);
    const of = key === 2 ? (list) => list[2].length : (list) => list[key];
    kept = [...lists.keys()].filter((i) => {
      const rules = lists[i][2];
      return rules.length <= most && (!use || rules.some((rule) => use[rule]))
        && !(avoid && rules.some((rule) => avoid[rule]));
    });
    kept.sort((a, b) => of(lists[a]) - of(lists[b]) || lists[a][0] - lists[b][0]);
  }

  function sentence([, , rules, then]) {
    const parts = [];
    rules.forEach((rule, i) => parts.push(i ? "; else if " : "if ", name(names[rule]), " then ", name(classes[then[i]])));
    parts.push(rules.length ? "; else " : "always ", name(classes[then[rules.length]]));
    return parts;
  }

  function more() {
    const next = kept.slice(shown, shown + AT_ONCE).map((i) => lists[i]);
    at("near-table").tBodies[0].append(...next.map((list) => make("tr", {},
      make("td", {}, list[0].toFixed(6)), make("td", {}, count(list[1])),
      make("td", {}, count(list[2].length)), make("td", { class: "word" }, ...sentence(list)))));
    shown += next.length;
    at("near-more").disabled = shown >= kept.length;
  }

  function usage() {
    const used = new Uint32Array(names.length);
    for (const i of kept) for (const rule of lists[i][2]) used[rule]++;
    const order = [...used.keys()].filter((i) => used[i]).sort((a, b) => used[b] - used[a]).slice(0, MOST_USED);
    at("near-usage").tBodies[0].replaceChildren(...order.map((i) => make("tr", {},
      make("th", { scope: "row", class: "word" }, name(names[i])), make("td", {}, count(used[i])),
      make("td", {}, share(used[i], kept.length)))));
  }

  /* The range of each rate in each group: a bar from the least to the greatest of any list. */
  function ranges() {
    const bodies = rates.rates.map((told, r) => make("tbody", {},
      make("tr", {}, make("th", { scope: "rowgroup", colspan: 4 }, name(told))),
      ...rates.groups.map((group, g) => {
        const own = kept.map((i) => rates.lists[i][g * rates.rates.length + r]).filter((one) => one !== null);
        const low = own.reduce((one, other) => Math.min(one, other), 1), high = own.reduce((one, other) => Math.max(one, other), 0);
        return make("tr", {},
          make("th", { scope: "row", class: "group" }, name(group)), make("td", { class: "range" }, own.length ? range(low, high) : ""),
          make("td", {}, own.length ? share(low, 1) : "-"), make("td", {}, own.length ? share(high, 1) : "-"));
      })));
    const table = at("near-rates");
    [...table.tBodies].forEach((body) => body.remove());
    table.append(...bodies);
  }

  /* A line from 0% to 100%, and the range on it. */
  function range(low, high) {
    const reach = make("span", { class: "reach" });
    Object.assign(reach.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` });
    return make("span", { class: "rail", "aria-hidden": true }, reach);
  }

  function show() {
    const began = performance.now();
    filter();
    shown = 0;
    at("near-table").tBodies[0].replaceChildren();
    more();
    usage();
    if (rates) ranges();
    at("near-count").textContent = `${count(kept.length)} of ${count(lists.length)} lists`;
    at("near").dataset.milliseconds = (performance.now() - began).toFixed(2);
  }

  at("near-form").addEventListener("input", show);
  at("near-sort").addEventListener("change", show);
  at("near-form").addEventListener("submit", (event) => event.preventDefault());
  at("near-more").addEventListener("click", more);
  show();
})();
