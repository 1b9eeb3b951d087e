// A replay that turns its pages by the keyboard, and by exchanging what has changed instead of
// loading the page anew.  Every step has an address of its own and works without this.
(() => {
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const known = new Map(); // address: the page, being fetched or fetched
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let running = null; // of the automatic replay

  const link = (step) => document.querySelector(`#replay a[data-step="${step}"]`);

  function page(address) {
    if (!known.has(address)) {
      const text = fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject()));
      text.catch(() => known.delete(address));
      known.set(address, text);
    }
    return known.get(address);
  }

  async function show(address, remember) {
    let text;
    try {
      text = await page(address);
    } catch {
      location.href = address; // what is wrong is said by the page itself
      return;
    }
    const there = new DOMParser().parseFromString(text, "text/html");
    const next = there.getElementById("replay");
    if (!next) {
      location.href = address;
      return;
    }
    const focused = document.activeElement && document.activeElement.dataset.step;
    const scrolled = document.querySelector(".line-of-moves")?.scrollTop;
    document.getElementById("replay").replaceWith(document.adoptNode(next));
    document.title = there.title;
    if (remember) history.replaceState(null, "", address);
    prepare(scrolled);
    if (focused) (link(focused) || link(focused === "next" ? "previous" : "next"))?.focus();
  }

  function go(step) {
    const there = link(step);
    if (there) show(there.href, true);
    return Boolean(there);
  }

  function stop() {
    clearInterval(running);
    running = null;
    label();
  }

  function label() {
    const button = document.getElementById("run");
    if (button) {
      button.firstChild.textContent = running ? "⏸" : "▶▶";
      button.setAttribute("aria-pressed", String(Boolean(running)));
    }
  }

  function prepare(scrolled) {
    const list = document.querySelector(".line-of-moves");
    const now = list?.querySelector("[aria-current]");
    if (list && scrolled !== undefined) list.scrollTop = scrolled;
    if (now && (now.offsetTop < list.scrollTop || now.offsetTop > list.scrollTop + list.clientHeight - 40)) {
      list.scrollTop = now.offsetTop - list.clientHeight / 2;
    }
    const place = document.querySelector(".player ul");
    if (place) {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.id = "run";
      const sign = document.createElement("span");
      sign.setAttribute("aria-hidden", "true");
      const words = document.createElement("span");
      words.className = "step-words";
      words.textContent = place.dataset.run;
      button.append(sign, words);
      button.addEventListener("click", () => {
        if (running) return stop();
        running = setInterval(() => go("next") || stop(), calm.matches ? 3000 : 1600);
        label();
      });
      item.append(button);
      place.append(item);
      label();
    }
    for (const step of ["next", "previous"]) {
      const there = link(step);
      if (there) page(there.href);
    }
  }

  document.addEventListener("keydown", (press) => {
    const taken = press.altKey || press.ctrlKey || press.metaKey || press.shiftKey;
    if (taken || press.target.closest("input, select, textarea, .scroll, .line-of-moves")) return;
    if (press.key in keys && link(keys[press.key])) {
      press.preventDefault();
      stop();
      go(keys[press.key]);
    }
  });

  document.addEventListener("click", (click) => {
    const there = click.target.closest("#replay a[href]");
    const plain = !click.ctrlKey && !click.metaKey && !click.shiftKey && click.button === 0;
    if (!there || !plain) return;
    const address = new URL(there.getAttribute("href"), location.href);
    if (address.origin !== location.origin || address.pathname !== location.pathname) return;
    click.preventDefault();
    stop();
    show(address.href, true);
  });

  prepare();
})();
