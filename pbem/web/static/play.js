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
