// Arrows, Home and End; everything else works without this.
addEventListener("keydown", (press) => {
  if (press.altKey || press.ctrlKey || press.metaKey || press.target.closest("input, .wide")) return;
  const steps = document.querySelectorAll(".step");
  const now = Number((location.hash.match(/^#t(\d+)$/) || [0, 0])[1]);
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[press.key];
  if (to === undefined || !steps[to]) return;
  press.preventDefault();
  location.replace("#t" + to);
});
