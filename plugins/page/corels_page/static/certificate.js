"use strict";
/* The table of first rules can be searched; the rest of the certificate is plain HTML. */
(() => {
  const { found, at, count } = page;
  if (!found.certificate.claims) return;
  const rows = [...at("claims-table").tBodies[0].rows];
  function show() {
    const typed = at("claims-search").value.toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(typed);
    at("claims-count").textContent = `${count(rows.filter((row) => !row.hidden).length)} of ${count(rows.length)} first rules`;
  }
  at("claims-search").addEventListener("input", show);
  show();
})();
