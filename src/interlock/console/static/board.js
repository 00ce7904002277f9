// The board: its slider shows an instant of the last day, rebuilt from the ledger; the edge that a move took is marked once.
import { all, keysAreOff, one, typing } from "./dom.js";
import { refresh } from "./live.js";

const slider = one("[data-replay]");
if (slider) {
  let first = 0, steps = 0, step = 0;
  const words = (at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  let pending = 0;
  const label = () => {
    const live = Number(slider.value) === steps;
    one("[data-replay-hint]").hidden = !live;
    one("[data-replay-back]").hidden = live;
    if (live) delete document.body.dataset.replay; else document.body.dataset.replay = "on";
    return live;
  };
  // The bars above it grow with the day: the slider has their steps, and stays at its instant.
  const fit = (at) => {
    const strip = one("#strip");
    first = Date.parse(strip.dataset.first);
    steps = Number(strip.dataset.steps);
    step = Number(strip.dataset.step) * 1000;
    slider.max = String(steps);
    slider.value = String(at ? Math.max(0, Math.min(steps - 1, Math.round((at - first) / step))) : steps);
  };
  fit(Date.parse(slider.dataset.at ?? ""));
  label();
  document.addEventListener("interlock:refreshed", () => fit(Date.parse(new URLSearchParams(location.search).get("at") ?? "")));
  slider.addEventListener("input", () => {
    const live = label();
    const at = first + Number(slider.value) * step;
    one("[data-replay-word]").textContent = live ? "Live." : words(at);
    slider.setAttribute("aria-valuetext", live ? "now" : words(at));
    one("[data-live-word]").textContent = live ? "Live" : "Replay";
    const address = new URL(location.href);
    if (live) address.searchParams.delete("at"); else address.searchParams.set("at", new Date(at).toISOString().replace(".000", ""));
    history.replaceState(null, "", address);
    clearTimeout(pending);
    pending = setTimeout(async () => {
      await refresh();
      if (live) document.dispatchEvent(new CustomEvent("interlock:live-again"));
    }, 120);
  });
  const slide = (to) => {
    const before = slider.value;
    slider.value = String(to);
    if (slider.value !== before) slider.dispatchEvent(new Event("input"));
  };
  one("[data-replay-back]").addEventListener("click", (event) => { event.preventDefault(); slide(steps); });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || typing() || keysAreOff() || one("dialog[open]")) return;
    if (document.activeElement === slider || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    event.preventDefault();
    slide(Number(slider.value) + (event.key === "ArrowLeft" ? -1 : 1));
  });
}

// The picture is drawn by the server; which of its edges were used since the last one, the stream says.
let used = [];
const data = (name, state) => (state === null ? `[data-${name}-null]` : `[data-${name}="${CSS.escape(state)}"]`);
document.addEventListener("interlock:move", ({ detail }) => { used.push(detail); if (used.length > 50) used.shift(); });
document.addEventListener("interlock:refreshed", ({ detail }) => {
  const moves = used;
  used = [];
  if (detail.crowded || document.body.dataset.replay) return;
  const edges = moves.filter((move) => move.version > 0 && move.old_status !== move.new_status).flatMap((move) =>
    all(`.machine[data-kind="${CSS.escape(move.kind)}"][data-scope="${CSS.escape(move.scope ?? "")}"] g.move${data("from", move.old_status)}${data("to", move.new_status)}`)
      .filter((edge) => !edge.dataset.axis || edge.dataset.axis === move.axis));
  edges.forEach((edge) => edge.classList.add("just"));
  requestAnimationFrame(() => requestAnimationFrame(() => edges.forEach((edge) => edge.classList.remove("just"))));
});
