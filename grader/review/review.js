// The keyboard of `grader review`, and the form at a line without loading the page anew. Without it the pages work by
// links and buttons alone.
"use strict";
(() => {
  const keys = document.getElementById("keys");
  const opener = document.getElementById("show-keys");
  opener.hidden = false;
  opener.addEventListener("click", () => keys.showModal());

  const rows = Array.from(document.querySelectorAll(".row"));
  const form = document.getElementById("line-form");
  let here = rows.findIndex((row) => row.id === location.hash.slice(1));

  const goTo = (place) => {
    if (place < 0 || place >= rows.length) return;
    rows[here]?.classList.remove("here");
    here = place;
    rows[here].closest("details").open = true;
    rows[here].classList.add("here");
    rows[here].scrollIntoView({ block: "center" });
  };

  const comment = (row) => {
    if (!form || !row.querySelector("a.no")) return;
    const file = row.closest("details").querySelector("h3").textContent;
    if (form.elements.at.value !== row.id.slice(1)) {
      form.elements.at.value = row.id.slice(1);
      form.querySelector(".place-name").textContent = `${file} line ${row.querySelector(".no").textContent}`;
    }
    row.after(form);
    form.hidden = false;
    form.elements.why.focus();
  };

  for (const row of rows)
    row.querySelector("a.no")?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      goTo(rows.indexOf(row));
      comment(row);
    });
  form?.querySelector(".cancel").addEventListener("click", (event) => {
    event.preventDefault();
    form.hidden = true;
    form.previousElementSibling?.querySelector?.(".no")?.focus();
  });

  const press = (selector) => {
    const found = document.querySelector(selector);
    if (found) found.click();
    return Boolean(found);
  };
  const focus = (selector) => {
    const found = document.querySelector(selector);
    found?.focus();
    return Boolean(found);
  };
  const nextMarked = () => {
    const place = rows.findIndex((row, number) => number > here && row.classList.contains("marked"));
    goTo(place < 0 ? rows.findIndex((row) => row.classList.contains("marked")) : place);
  };
  const actions = {
    "?": () => keys.showModal(),
    n: () => press('[data-key="n"]'),
    p: () => press('[data-key="p"]'),
    u: () => press('[data-key="u"]'),
    "/": () => focus("#find"),
    a: () => focus("#add-points"),
    j: () => goTo(here + 1),
    k: () => goTo(here - 1),
    f: nextMarked,
    c: () => here >= 0 && comment(rows[here]),
  };

  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input, textarea, select");
    if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.form.requestSubmit();
      return;
    }
    if (field && event.key === "Escape") field.blur();
    if (field || keys.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    } else if (/^[1-9]$/.test(event.key) && press(`button[data-key="${event.key}"]`)) event.preventDefault();
  });

  // One change at a time: a second click on a slow machine would send the form twice.
  for (const one of document.querySelectorAll('form[method="post"]'))
    one.addEventListener("submit", (event) => {
      if (one.dataset.sent) event.preventDefault();
      one.dataset.sent = "yes";
    });
  addEventListener("pageshow", () => {
    for (const one of document.forms) delete one.dataset.sent;
  });
  document.getElementById("problem")?.focus();
  if (form && !form.hidden) form.elements.why.focus();
})();
