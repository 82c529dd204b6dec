"use strict";
// Keys for those who stay: `/` searches, `g` and a letter goes somewhere, `?` tells them all. Every page works without.
(() => {
  const help = document.getElementById("keys");
  const ways = new Map([...help.querySelectorAll("a[data-go]")].map((each) => [each.dataset.go, each.href]));
  let isGoing = false;

  function isTyping(element) {
    return element.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName);
  }

  function go(key) {
    isGoing = false;
    if (ways.has(key)) location.assign(ways.get(key));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (isGoing) { go(event.key); return; }
    if (event.key === "g") { isGoing = true; setTimeout(() => { isGoing = false; }, 1500); return; }
    const search = document.querySelector("input[type=search]");
    if (event.key === "/" && search) { event.preventDefault(); search.focus(); search.select(); }
    if (event.key === "?" && !help.open) help.showModal();
  });
  // On a phone the names of the pages are a strip to be pushed: the one we are on is to be seen.
  const strip = document.querySelector(".top nav"), here = strip?.querySelector("[aria-current]");
  if (here) strip.scrollLeft = here.offsetLeft - strip.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
  for (const each of document.querySelectorAll("[data-keys]")) {
    each.hidden = false;
    each.addEventListener("click", () => help.showModal());
  }
})();
