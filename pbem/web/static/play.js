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
