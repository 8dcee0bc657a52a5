"use strict";
/* Near-optimal lists, filtered by typed arrays: lists are numbers, names are looked up when shown. */
(() => {
  const { found, make, at, name, count, share } = page;
  const { names, classes, lists } = found.near;
  const AT_ONCE = 50, MOST_USED = 200;
  const lower = names.map((text) => text.toLowerCase());
  let kept = [], shown = 0;

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
    kept = lists.filter(([, , rules]) => rules.length <= most
      && (!use || rules.some((rule) => use[rule])) && !(avoid && rules.some((rule) => avoid[rule])));
    kept.sort((a, b) => of(a) - of(b) || a[0] - b[0]);
  }

  function sentence([, , rules, then]) {
    const parts = [];
    rules.forEach((rule, i) => parts.push(i ? "; else if " : "if ", name(names[rule]), " then ", name(classes[then[i]])));
    parts.push(rules.length ? "; else " : "always ", name(classes[then[rules.length]]));
    return parts;
  }

  function more() {
    const next = kept.slice(shown, shown + AT_ONCE);
    at("near-table").tBodies[0].append(...next.map((list) => make("tr", {},
      make("td", {}, list[0].toFixed(6)), make("td", {}, count(list[1])),
      make("td", {}, count(list[2].length)), make("td", { class: "word" }, ...sentence(list)))));
    shown += next.length;
    at("near-more").disabled = shown >= kept.length;
  }

  function usage() {
    const used = new Uint32Array(names.length);
    for (const [, , rules] of kept) for (const rule of rules) used[rule]++;
    const order = [...used.keys()].filter((i) => used[i]).sort((a, b) => used[b] - used[a]).slice(0, MOST_USED);
    at("near-usage").tBodies[0].replaceChildren(...order.map((i) => make("tr", {},
      make("th", { scope: "row", class: "word" }, name(names[i])), make("td", {}, count(used[i])),
      make("td", {}, share(used[i], kept.length)))));
  }

  function show() {
    const began = performance.now();
    filter();
    shown = 0;
    at("near-table").tBodies[0].replaceChildren();
    more();
    usage();
    at("near-count").textContent = `${count(kept.length)} of ${count(lists.length)} lists`;
    at("near").dataset.milliseconds = (performance.now() - began).toFixed(2);
  }

  at("near-form").addEventListener("input", show);
  at("near-sort").addEventListener("change", show);
  at("near-form").addEventListener("submit", (event) => event.preventDefault());
  at("near-more").addEventListener("click", more);
  show();
})();
