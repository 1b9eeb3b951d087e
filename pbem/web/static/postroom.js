// Comfort only: every page of the post room works without this file.

// The frame becomes as high as the letter in it.
for (const frame of document.querySelectorAll(".letter-frame")) {
  const fit = () => {
    const page = frame.contentDocument;
    if (page && page.documentElement) {
      // Its own height: scrollHeight is never less than the frame's, which could not shrink.
      const { height } = page.documentElement.getBoundingClientRect();
      frame.style.height = `${Math.ceil(height) + 2}px`;
    }
  };
  frame.addEventListener("load", fit);
  window.addEventListener("resize", fit);
  fit();
}

// An example goes straight into the text box.
for (const link of document.querySelectorAll("a[data-fill]")) {
  link.addEventListener("click", (event) => {
    const box = document.getElementById("text");
    event.preventDefault();
    box.value = link.textContent.trim();
    box.focus();
  });
}
