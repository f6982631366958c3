// Sorts and filters the table of students. Without it the table is whole, in the order of the ids. A browser takes long
// to lay many thousand rows out, so those further down come when the reader does, or all when the page is printed.
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

  const STEP = 500, EARLY = 100; // rows; class.css hides as many until we are here
  let order = rows, wanted = rows, drawn = 0;
  const near = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) draw(STEP); });
  const draw = (most) => {
    near.disconnect();
    body.append(...wanted.slice(drawn, drawn + most).map(({ row }) => row));
    drawn = Math.min(drawn + most, wanted.length);
    if (drawn < wanted.length) for (const early of [EARLY, 1]) near.observe(wanted[drawn - early].row); // one may jump
  };
  addEventListener("beforeprint", () => draw(wanted.length));

  const sort = (column) => {
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    order = rows.slice().sort(compare(column, down ? -1 : 1));
    filter();
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
    wanted = order.filter(({ cells }) => {
      const text = cells.slice(0, place).join(" ").toLowerCase();
      return words.every((word) => text.includes(word)) && (!verdict.value || cells[place] === verdict.value);
    });
    const count = wanted.length;
    found.textContent = count === rows.length ? `${count} students` : `${count} of ${rows.length} students`;
    body.replaceChildren();
    drawn = 0;
    draw(STEP);
  };

  find.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  document.getElementById("search").hidden = false;
  filter();
  table.classList.add("ready");
})();
