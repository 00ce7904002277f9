// The board's slider: an instant of the last day, rebuilt from the ledger; the address keeps it.
import { one } from "./dom.js";
import { refresh } from "./live.js";

const STEP = 600_000;
const slider = one("[data-replay]");
if (slider) {
  const first = Date.parse(slider.dataset.first);
  const steps = Number(slider.max);
  const words = (at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  let pending = 0;
  if (slider.dataset.at) {
    document.body.dataset.replay = "on";
    slider.value = String(Math.max(0, Math.min(steps - 1, Math.round((Date.parse(slider.dataset.at) - first) / STEP))));
  }
  slider.addEventListener("input", () => {
    const live = Number(slider.value) === steps;
    const at = first + Number(slider.value) * STEP;
    one("[data-replay-word]").textContent = live ? "Live." : words(at);
    slider.setAttribute("aria-valuetext", live ? "now" : words(at));
    one("[data-live-word]").textContent = live ? "Live" : "Replay";
    if (live) delete document.body.dataset.replay; else document.body.dataset.replay = "on";
    const address = new URL(location.href);
    if (live) address.searchParams.delete("at"); else address.searchParams.set("at", new Date(at).toISOString().replace(".000", ""));
    history.replaceState(null, "", address);
    clearTimeout(pending);
    pending = setTimeout(async () => {
      await refresh();
      if (live) document.dispatchEvent(new CustomEvent("interlock:live-again"));
    }, 120);
  });
}
