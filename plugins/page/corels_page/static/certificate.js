"use strict";
/* The table of first rules can be searched; the rest of the certificate is plain HTML. */
(() => {
  const { found, make, at, name, count } = page;
  const claims = found.certificate.claims;
  if (!claims) return;
  const MOST = 500;
  /* The proof's own words for why, and what they mean. */
  const reasons = {
    claim: "the search has proved it; the proof says how", counted: "at most one more rule can pay, and all were counted",
    tables: "of the errors that no rules can avoid", "its own errors": "of the errors of the rule and its price",
    "saves no more than it costs": "not looked at: the rule saves no more errors than it costs",
    "another rule does as well": "not looked at: another rule does as well",
  };
  const lower = claims.map(([rule]) => rule.toLowerCase());
  const body = at("claims-table").tBodies[0];
  function show() {
    const typed = at("claims-search").value.toLowerCase();
    const kept = claims.filter((_, i) => lower[i].includes(typed));
    body.replaceChildren(...kept.slice(0, MOST).map(([rule, least, why]) =>
      make("tr", {}, make("th", { scope: "row", class: "word" }, name(rule)),
        make("td", {}, least === null ? "-" : least.toFixed(6)), make("td", { class: "word" }, reasons[why] || why))));
    at("claims-count").textContent = `${count(kept.length)} of ${count(claims.length)} first rules`
      + (kept.length > MOST ? `; the first ${MOST} are shown` : "");
  }
  at("claims-search").addEventListener("input", show);
  show();
})();
