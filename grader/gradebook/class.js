// Sorts and filters the table of students. Without it the table is whole, in the order of the ids.
"use strict";
(() => {
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const rows = Array.from(body.rows, (row) => ({ row, cells: Array.from(row.cells, (cell) => cell.textContent.trim()) }));
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const numeric = heads.map((head) => head.classList.contains("number"));

  // Empty cells come last in either direction: there is nothing to compare.
  const compare = (column, sign) => (one, other) => {
    const a = one.cells[column], b = other.cells[column];
    if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
    return sign * (numeric[column] ? parseFloat(a) - parseFloat(b) : collator.compare(a, b));
  };

  const sort = (column) => {
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows.slice().sort(compare(column, down ? -1 : 1)).map(({ row }) => row));
  };

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent.trim();
    button.addEventListener("click", () => sort(column));
    head.replaceChildren(button);
  });

  const find = document.getElementById("find");
  const verdict = document.getElementById("verdict");
  const found = document.getElementById("found");
  const place = heads.findIndex((head) => head.id === "verdicts");
  for (const word of new Set(rows.map(({ cells }) => cells[place]).sort(collator.compare)))
    verdict.add(new Option(word, word));

  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const { row, cells } of rows) {
      const text = cells.slice(0, place).join(" ").toLowerCase();
      row.hidden = !(words.every((word) => text.includes(word)) && (!verdict.value || cells[place] === verdict.value));
      count += row.hidden ? 0 : 1;
    }
    found.textContent = count === rows.length ? `${count} students` : `${count} of ${rows.length} students`;
  };

  find.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  document.getElementById("search").hidden = false;
  filter();
})();
