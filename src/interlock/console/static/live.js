// Stays live: follows the ledger by server-sent events, and fetches the page's own live regions anew when something moved.
// Leases end, runners fall silent and pauses run out without an entry: a page at rest is fetched anew when it says that it changes, and now and then.
import { all, base, make, one } from "./dom.js";

const SLOWEST = 2000;
const AT_LEAST = 150;
const AT_REST = 15000;
const MOST_MOVES = 10;

// When the last moves came; with more than ten a second numbers change without being marked.
const moments = [];
const note = () => { moments.push(performance.now()); if (moments.length > MOST_MOVES + 1) moments.shift(); };
const crowded = () => moments.length > MOST_MOVES && moments.at(-1) - moments[0] < 1000 && performance.now() - moments.at(-1) < AT_REST;

// Whether an open form keeps its region as it is: until it was sent where the region follows what it did, or nothing can be done there any more;
// where it is always open, once somebody has begun to fill it in.
const keeps = (form, region, fresh) => {
  const isOpen = form.dataset.state !== "done";
  if (!isOpen && !one("form.act", fresh)) return false;
  if (region.matches("[data-live=follow]")) return isOpen;
  return !form.matches(".act--open") || (isOpen && (form.contains(document.activeElement) || form.hasAttribute("data-touched")));
};

// This page's own address, without what was asked for once: a check reads everything, and is not repeated because a record moved.
// The workflows that the board chose to open stay open.
const ONCE = ["check", "verify"];
const address = () => {
  const here = new URL(location.href);
  ONCE.forEach((name) => here.searchParams.delete(name));
  const opened = one("[data-again]")?.dataset.again;
  if (opened && !here.searchParams.has("open")) here.searchParams.set("open", opened);
  return here.href;
};

// Takes the regions of a freshly rendered page into this one. A region with an open form, or with the focus, keeps what it shows.
export const refresh = async (url = address()) => {
  const response = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!response.ok) return response.status;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const shape = one("[data-shape]")?.dataset.shape;
  if (shape && shape !== one("[data-shape]", page)?.dataset.shape) { if (!document.body.dataset.sending) location.reload(); return response.status; }
  const many = crowded();
  for (const old of all("[data-live]")) {
    const fresh = old.id && page.getElementById(old.id);
    if (!fresh || old.isEqualNode(fresh)) continue;
    if (all("form.act:not([hidden])", old).some((form) => keeps(form, old, fresh)) || (old.contains(document.activeElement) && old.matches("[data-live=still]"))) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("data-focus") || document.activeElement.id : null;
    const before = new Map(all("[data-count]", old).map((c) => [c.dataset.count, c.textContent]));
    for (const fold of all("details[id]", old)) { const same = page.getElementById(fold.id); if (same) same.open = fold.open; }
    old.replaceWith(fresh);
    if (focused) (document.getElementById(focused) || one(`[data-focus="${CSS.escape(focused)}"]`, fresh))?.focus({ preventScroll: true });
    for (const count of all("[data-count]", fresh)) {
      if (!many && before.has(count.dataset.count) && before.get(count.dataset.count) !== count.textContent) settle(count);
    }
  }
  document.dispatchEvent(new CustomEvent("interlock:refreshed", { detail: { crowded: many } }));
  return 200;
};

const settle = (element) => {
  element.classList.add("just");
  requestAnimationFrame(() => requestAnimationFrame(() => element.classList.remove("just")));
};

export const startLive = ({ now }) => {
  const box = one("[data-stream]");
  if (!box || !window.EventSource) return;
  const banner = one("[data-stale]");
  let source = null, cursor = "", lost = 0, timer = 0, took = 0, late = false, resting = 0;

  const soon = () => {
    if (document.body.dataset.replay || document.body.dataset.still) return;
    if (timer) { late = true; return; }
    timer = setTimeout(async () => {
      late = false;
      const from = performance.now();
      const status = await refresh().catch(() => 0);
      took = performance.now() - from;
      timer = 0;
      if (status === 401) { signedOut(); return; }
      // Moves may still come while the page itself cannot be read: then its numbers are as old as the last time it could be.
      if (status !== 200 && !lost) { lost = now(); word("lost"); }
      else if (status === 200 && lost && source.readyState === EventSource.OPEN) { lost = 0; word("live"); }
      if (late) soon();
      rest();
    }, Math.min(SLOWEST, Math.max(AT_LEAST, took * 4)));
  };
  const rest = () => {
    clearTimeout(resting);
    const left = all("[data-changes-at]").map((element) => Date.parse(element.dataset.changesAt) - now());
    resting = setTimeout(() => { rest(); if (!document.hidden) soon(); }, Math.max(1000, Math.min(AT_REST, ...left)));
  };

  const open = () => {
    source = new EventSource(`${base}/api/v1/live${cursor ? `?after=${cursor}` : ""}`);
    source.addEventListener("ready", (event) => {
      cursor = event.lastEventId || cursor;
      if (lost) { lost = 0; soon(); }
      word("live");
    });
    source.addEventListener("move", (event) => {
      cursor = event.lastEventId;
      note();
      document.dispatchEvent(new CustomEvent("interlock:move", { detail: JSON.parse(event.data) }));
      soon();
    });
    source.onerror = () => {
      if (!lost) { lost = now(); word("lost"); }
      if (source.readyState === EventSource.CLOSED) {
        source.close();
        setTimeout(again, 2000);
      }
    };
  };
  const again = async () => {
    const status = await fetch(`${base}/api/v1/kinds`, { credentials: "same-origin" }).then((r) => r.status, () => 0);
    if (status === 401) signedOut();
    else if (status === 200) open();
    else setTimeout(again, 2000);
  };
  const signedOut = () => {
    clearTimeout(resting);
    box.dataset.live = "lost";
    one("[data-live-word]", box).textContent = "Signed out";
    if (!banner) return;
    one("[data-stale-word]", banner).textContent = "You are signed out.";
    one("[data-stale-more]", banner).replaceChildren(make("a", { href: location.href }, "Sign in again"), " to go on. The numbers stay as they were.");
    banner.hidden = false;
  };
  const word = (state) => {
    box.dataset.live = state;
    const since = state === "lost" ? `Not live since ${new Date(lost).toISOString().slice(11, 16)}` : "Live";
    one("[data-live-word]", box).textContent = document.body.dataset.replay ? "Replay" : since;
    if (banner) {
      one("[data-stale-word]", banner).textContent = `${since} UTC.`;
      banner.hidden = state !== "lost";
    }
  };
  document.addEventListener("interlock:acted", soon);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) soon(); });
  document.addEventListener("interlock:live-again", () => { word(lost ? "lost" : "live"); soon(); });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
  rest();
};
