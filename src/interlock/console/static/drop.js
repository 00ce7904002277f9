// Files that are dropped on the page, or chosen, go to the route that the drop zone names, one after the other.
import { all, make, mark, one, token } from "./dom.js";

const zone = one("[data-drop]");
// A file that falls beside the zone, or on one that takes none, is not opened in place of the page.
if (zone) for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
if (zone && zone.getAttribute("aria-disabled") !== "true") {
  const log = one("[data-drop-log]");
  const say = (line, tone, symbol, ...text) => line.replaceChildren(mark(symbol, tone), " ", ...text);
  const where = (id) => zone.dataset.then + encodeURIComponent(id);
  const send = async (file) => {
    const line = make("li");
    log?.prepend(line);
    say(line, "running", "m-running", `${file.name} is sent`);
    const form = new FormData();
    form.append("source_type", "auto");
    form.append("file", file, file.name);
    try {
      const response = await fetch(zone.dataset.drop, { method: "POST", body: form, headers: { "X-Interlock-Token": token }, credentials: "same-origin" });
      const answer = await response.json().catch(() => ({}));
      const id = answer[zone.dataset.answerId] ?? answer.facts?.[zone.dataset.answerId];
      const name = id ? make("a", { href: where(id) }, file.name) : file.name;
      if (response.ok) { say(line, "done", "m-done", name, " is here"); return id; }
      say(line, "quiet", "m-refused", name, ` was not taken: ${answer.detail ?? response.status}`);
      return response.status === 409 ? id : undefined;
    } catch {
      say(line, "failed", "m-failed", `${file.name} was not sent: the service does not answer`);
      return undefined;
    }
  };
  // An empty board that fills meanwhile is not opened anew, neither before the last file is sent nor over the word on one that was not taken.
  const take = async (files) => {
    const ids = [];
    if (files.length) document.body.dataset.sending = "on";
    for (const file of files) ids.push(await send(file));
    const last = ids.filter(Boolean).at(-1);
    if (last && ids.every(Boolean)) location.assign(where(last));
  };
  const over = (on) => { zone.dataset.over = String(on); };
  addEventListener("dragover", () => over(true));
  addEventListener("dragleave", () => over(false));
  addEventListener("drop", (event) => { over(false); take([...event.dataTransfer.files]); });
  all("input[type=file]", zone).forEach((input) => input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = ""; // so that the same file can be chosen again
    take(files);
  }));
}
