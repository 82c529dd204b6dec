"use strict";
// Keeps an open page true: hears that something changed, asks for the page again, and swaps its live parts.
(() => {
  const REST_MS = 1500;
  const parts = () => document.querySelectorAll("[data-live]");
  const sign = document.querySelector("[data-live-state]");
  let stream = null, asking = false, again = false;

  function say(word) {
    sign.hidden = false;
    sign.dataset.word = word;
    sign.textContent = word;
  }

  function opened(part) {
    return new Set([...part.querySelectorAll("details[open][data-key]")].map((each) => each.dataset.key));
  }

  function swap(part, fresh) {
    if (!fresh || part.innerHTML === fresh.innerHTML) return;
    const open = opened(part);
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const links = focused ? [...part.querySelectorAll("a, summary")] : [];
    const place = links.indexOf(focused);
    part.className = fresh.className;
    part.replaceChildren(...fresh.childNodes);
    for (const each of part.querySelectorAll("details[data-key]")) each.open = open.has(each.dataset.key);
    if (focused) {
      const heirs = [...part.querySelectorAll("a, summary")];
      const same = heirs.find((each) => each.href && each.href === focused.href);
      (same || heirs[place])?.focus({ preventScroll: true });
    }
  }

  async function refresh() {
    if (asking) { again = true; return; }
    asking = true;
    again = false;
    try {
      // Some addresses answer programs too: say that a page is wanted, and take nothing else for one.
      const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html" } });
      if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const part of parts()) swap(part, fresh.getElementById(part.id));
        document.title = fresh.title;
      }
    } catch { /* the stream says when we are back */ }
    setTimeout(() => { asking = false; if (again && stream) refresh(); }, REST_MS);
  }

  function listen() {
    if (stream || !parts().length) return;
    stream = new EventSource("/live");
    stream.addEventListener("hello", () => { say("live"); refresh(); });
    stream.addEventListener("change", refresh);
    stream.addEventListener("error", () => {
      say("reconnecting");
      if (stream && stream.readyState === EventSource.CLOSED) { hush(); setTimeout(listen, 10000); }
    });
  }

  function hush() {
    stream?.close();
    stream = null;
  }

  function ago(moment) {
    const seconds = Math.round((Date.now() - moment) / 1000), away = Math.abs(seconds);
    if (away < 1) return "now";
    const [size, unit] = away < 120 ? [1, "s"] : away < 7200 ? [60, "min"] : away < 172800 ? [3600, "h"] : [86400, "days"];
    const said = `${Math.floor(away / size).toLocaleString("en")} ${unit}`;
    return seconds > 0 ? `${said} ago` : `in ${said}`;
  }

  function tick() {
    for (const each of document.querySelectorAll("time[data-ago]")) each.textContent = ago(Date.parse(each.dateTime));
  }

  // A tab nobody looks at needs no news, and browsers allow only six connections to us.
  document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
  window.addEventListener("pagehide", hush);
  setInterval(() => { if (!document.hidden) tick(); }, 5000);
  if (!document.hidden) listen();
})();
