// A step of a turn that could not be fetched: say so, instead of doing nothing at all.
document.addEventListener("htmx:sendError", function (event) {
  const notice = document.getElementById("offline");
  if (notice && event.target.closest && event.target.closest("a")) {
    notice.hidden = false;
    notice.scrollIntoView({ block: "center" });
  }
});
document.addEventListener("htmx:afterOnLoad", function () {
  const notice = document.getElementById("offline");
  if (notice) notice.hidden = true;
});

// The next step of a turn: read on from its question, by keyboard and by ear.
document.addEventListener("htmx:afterSettle", function (event) {
  const asked = event.detail.requestConfig && event.detail.requestConfig.elt;
  const title = document.getElementById("turn-title");
  if (title && asked && asked.matches("a")) title.focus({ preventScroll: true });
});

// A way to go on fills in the line that is being typed, and the next ones are asked for.
document.addEventListener("click", function (event) {
  const way = event.target.closest("#ways button");
  if (!way) return;
  const box = document.getElementById("text");
  box.value = box.value.slice(0, box.value.lastIndexOf("\n") + 1) + way.dataset.line;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
// Escape closes them; the arrows lead from one to the next, and back to the box.
document.addEventListener("keydown", function (event) {
  const box = document.getElementById("text");
  const ways = document.getElementById("ways");
  if (!ways || !ways.firstElementChild) return;
  if (event.key === "Escape" && (event.target === box || ways.contains(event.target))) {
    ways.replaceChildren();
    box.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step || !ways.contains(event.target)) return;
  const buttons = [...ways.querySelectorAll("button")];
  event.preventDefault();
  (buttons[buttons.indexOf(event.target) + step] || box).focus();
});
