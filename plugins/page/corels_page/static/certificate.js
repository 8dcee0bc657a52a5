"use strict";
/* The table of first rules can be searched; the rest of the certificate is plain HTML. */
(() => {
  const { found, make, at, name, count } = page;
  const claims = found.certificate.claims;
  if (!claims) return;
  const MOST = 500;
  const lower = claims.map(([rule]) => rule.toLowerCase());
  const body = at("claims-table").tBodies[0];
  function show() {
    const typed = at("claims-search").value.toLowerCase();
    const kept = claims.filter((_, i) => lower[i].includes(typed));
    body.replaceChildren(...kept.slice(0, MOST).map(([rule, least, why]) =>
      make("tr", {}, make("th", { scope: "row", class: "word" }, name(rule)),
        make("td", {}, least === null ? "-" : least.toFixed(6)), make("td", { class: "word" }, why))));
    at("claims-count").textContent = `${count(kept.length)} of ${count(claims.length)} first rules`
      + (kept.length > MOST ? `; the first ${MOST} are shown` : "");
  }
  at("claims-search").addEventListener("input", show);
  show();
})();
