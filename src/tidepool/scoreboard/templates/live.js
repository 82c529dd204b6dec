// The live page: asks for the state of the match again and again, and shows it with the names it has so far.

const book = window.localStorage;
const known = (kind, code, what) => book.getItem(`${kind}_${code}_${what}`) || code;

async function ask(call, parameters) {
  const query = new URLSearchParams(parameters);
  const answer = await fetch(`${siteConfig.api}${call}.php?${query}`, {
    headers: { authorization: siteConfig.token },
  });
  if (!answer.ok) throw new Error(`${call}: ${answer.status}`);
  return answer.json();
}

function put(selector, text) {
  const place = document.querySelector(selector);
  if (place) place.textContent = text;
}

function over(text, isLast) {
  const [number, balls = ""] = text.split(":");
  const slide = document.createElement("div");
  slide.className = "overs-slide";
  const title = document.createElement("span");
  title.textContent = isLast ? "This Over:" : `Over ${number}:`;
  slide.append(title);
  for (const ball of balls.split(".").filter(Boolean)) {
    const shown = document.createElement("div");
    shown.className = "over-ball";
    shown.textContent = ` ${ball} `;
    slide.append(shown);
  }
  return slide;
}

function batter(code, runsAndBalls) {
  const [runs, balls] = (runsAndBalls || "").replace("*", "").split(".");
  const box = document.createElement("div");
  box.className = "batsmen-partnership";
  const name = document.createElement("div");
  name.className = "batsmen-name";
  name.append(Object.assign(document.createElement("p"), { textContent: known("p", code, "name") }));
  const score = document.createElement("div");
  score.className = "batsmen-score";
  for (const text of [runs, `(${balls})`]) {
    score.append(Object.assign(document.createElement("p"), { textContent: text }));
  }
  box.append(name, score);
  if ((runsAndBalls || "").endsWith("*")) {
    box.append(Object.assign(document.createElement("i"), { className: "circle-strike-icon" }));
  }
  return box;
}

function show(state) {
  const inSecond = state.k && !state.k.startsWith("0/0(0.0");
  const [score, overs] = (inSecond ? state.k : state.j || "").split("(");
  const batting = state.rb && state.rb.length ? state.rb[0].bt : (state.a || "").split(".")[0];
  put("#batting .team-name", known("t", batting, "short"));
  put("#batting .runs span:nth-child(1)", score.replace("/", "-"));
  put("#batting .runs span:nth-child(2)", overs || "");
  put(".result-box span", state.B || "");
  const overNumber = (text) => Number(text.split(":")[0]);
  const recent = [state.l, state.m, state.n].filter(Boolean).sort((one, two) => overNumber(one) - overNumber(two));
  document.querySelector("#slideOver").replaceChildren(...recent.map((text, i) => over(text, i === recent.length - 1)));
  const [first, second] = (state.p || ".").split(".");
  const players = first ? [batter(first, state.q), batter(second, state.s)] : [];
  document.querySelector("app-match-live-player").replaceChildren(...players);
}

async function every(milliseconds, act) {
  for (;;) {
    try {
      await act();
    } catch (failure) {
      console.warn(String(failure));
    }
    await new Promise((wake) => setTimeout(wake, milliseconds));
  }
}

// The names come late and in two parts; until then the page shows codes.
async function learnNames(key) {
  book.setItem("ad_seen", String(Math.random()));
  for (const part of ["1", "2"]) {
    await new Promise((wake) => setTimeout(wake, siteConfig.bookMs * Number(part)));
    for (const [name, value] of Object.entries(await ask("names", { key, part }))) book.setItem(name, value);
  }
  book.setItem("seriesMapFlag", "1");
}

function followMatch(key) {
  learnNames(key).catch((failure) => console.warn(String(failure)));
  every(siteConfig.pollMs, async () => show(await ask("sV3", { key })));
  every(siteConfig.pollMs * 5, () => ask("sC4", { key }));
}
