// What every page does: theme, keys, copying, acting, ages that grow, and staying live.
import { all, ask, base, bodyOf, keysAreOff, make, mark, one, span, token, typing } from "./dom.js";
import { startLive } from "./live.js";

const root = document.documentElement;
// After so many milliseconds without an answer a form says that it waits for one.
const SLOW = 1500;
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a private window keeps nothing */ } };

one("[data-theme-toggle]")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("interlock-theme", root.dataset.theme);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button, [data-act]");
  if (!button) return;
  if (button.matches("[data-copied]")) return;
  if (button.matches("[data-copy]")) {
    const text = button.dataset.copy || one("code", button.parentElement)?.textContent;
    const before = [...button.childNodes];
    button.dataset.copied = "";
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Select and copy"; }
    setTimeout(() => { button.replaceChildren(...before); delete button.dataset.copied; }, 1500);
  } else if (button.matches("[data-act]")) {
    toggleForm(button.dataset.act);
  } else if (button.matches("[data-open-help]")) {
    one("dialog[data-help]")?.showModal();
  } else if (button.matches("[data-sign-out]")) {
    await ask("POST", `${base}/console/sign-out`);
    location.assign(`${base}/sign-in`);
  }
});

// One act is asked about at a time: opening its form closes the one beside it, which keeps what was typed.
const toggleForm = (id) => {
  const form = document.getElementById(id);
  if (!form) return;
  const isOpening = form.hidden;
  if (isOpening) all("form.act:not([hidden]):not(.act--open)", form.closest(".panel") ?? document).forEach((other) => setOpen(other, false));
  setOpen(form, isOpening);
  if (!form.hidden) { one("textarea, input", form)?.focus({ preventScroll: true }); form.scrollIntoView({ block: "nearest" }); }
  else one(`[data-act="${CSS.escape(id)}"][aria-expanded]`)?.focus();
};

const setOpen = (form, isOpen) => {
  form.hidden = !isOpen;
  all(`[data-act="${CSS.escape(form.id)}"][aria-expanded]`).forEach((button) => button.setAttribute("aria-expanded", String(isOpen)));
};

const quoted = (text) => text.replaceAll(/["\\$`]/g, (c) => `\\${c}`);

// The command below a form follows the reason and the other texts as they are typed, and what is chosen.
document.addEventListener("input", (event) => {
  event.target.form?.setAttribute("data-touched", "");
  showOption(event.target.closest("[data-cli]"));
  const area = event.target.closest("[data-reason]");
  if (!area) return;
  const out = document.getElementById(area.dataset.reason);
  if (out) out.textContent = area.value ? quoted(area.value) : "…";
});

document.addEventListener("change", (event) => {
  event.target.form?.setAttribute("data-touched", "");
  showOption(event.target.closest("[data-cli]"));
});

const showOption = (field) => {
  const out = field && one(`[data-cli-of="${CSS.escape(field.name)}"]`, field.form);
  if (!out) return;
  const option = field.type === "text" ? field.value && `${field.dataset.cli} "${quoted(field.value)}"` : field.dataset.cli;
  out.textContent = field.selectedOptions?.[0]?.dataset.cli ?? option;
};

// An act is sent to the API; its answer stands in the form, with who came first where somebody did.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-api]");
  if (!form) return;
  event.preventDefault();
  const button = one("button[type=submit]", form);
  if (button.hasAttribute("aria-busy")) return; // pressed twice, it is still sent once
  const body = bodyOf(form);
  button.setAttribute("aria-busy", "true");
  const box = one("[data-answer]", form);
  const sent = new Date(now()).toISOString().slice(11, 19);
  const slow = setTimeout(() => say(box, "waiting", "m-waiting", "No answer yet.", `Sent at ${sent} UTC. What comes of it will stand here.`), SLOW);
  const { ok, status, answer } = await ask(form.dataset.method || "POST", form.dataset.api, body);
  clearTimeout(slow);
  button.removeAttribute("aria-busy");
  if (ok) {
    say(box, "done", "m-done", "Done.", form.dataset.done || outcome(answer));
    if (answer.key) box.lastElementChild.append(make("div", { class: "cli cli--value" }, make("code", {}, answer.key), make("button", { class: "btn btn--quiet", type: "button", "data-copy": "" }, "Copy")));
    form.dispatchEvent(new CustomEvent("interlock:acted", { bubbles: true, detail: answer }));
  } else {
    const first = status === 409 || status === 412;
    const soft = first || status === 0;
    say(box, soft ? "stuck" : "failed", soft ? "m-stuck" : "m-failed", first ? "Not done." : status ? "Refused." : "No answer.", `${sentence(answer.detail || "The service refused it.")} ${answer.hint || ""}`, answer.code);
    if (first) box?.lastElementChild.append(make("p", {}, make("a", { href: location.href }, "Show it as it is now")));
  }
  form.dataset.state = ok ? "done" : "refused";
});

const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
const outcome = (answer) => answer.key ? `Copy the secret of ${answer.name} now: it is not shown again.` : answer.new_status !== undefined ? `It is in ${answer.new_status ?? "null"} now, version ${answer.version}.` : "";
const say = (box, tone, symbol, bold, text, code) => {
  if (!box) return;
  box.className = `notice is-${tone}`;
  box.setAttribute("role", "alert");
  const line = make("p", {}, make("b", {}, bold), ` ${text.trim()} `);
  if (code) line.append(make("code", {}, code));
  box.replaceChildren(mark(symbol, tone), make("div", {}, line));
  box.hidden = false;
};

// Ages grow by themselves; the server's clock is the one that counts.
const began = performance.now();
const served = Date.parse(one('meta[name="interlock-now"]')?.content ?? "") || Date.now();
export const now = () => served + (performance.now() - began);
const tick = () => {
  const at = now();
  const clock = one("[data-clock]");
  if (clock && !document.body.dataset.replay) clock.textContent = `${new Date(at).toISOString().slice(11, 19)} UTC`;
  all("time[data-age]").forEach((t) => { t.textContent = span((at - Date.parse(t.dateTime)) / 1000) + (t.dataset.age === "plain" ? "" : " ago"); });
};
setInterval(tick, 1000);

// Keys: never while typing, every one of them printed where it acts.
const off = one("[data-keys-off]");
if (off) {
  off.checked = keysAreOff();
  off.addEventListener("change", () => keep("interlock-keys", off.checked ? "off" : "on"));
}
let going = 0;
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing()) { if (event.key === "Escape") document.activeElement.blur(); return; }
  if (keysAreOff()) return;
  if (one("dialog[open]")) return;
  if (going && event.timeStamp - going < 1500) {
    going = 0;
    const link = one(`.rail [data-letter="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); location.assign(link.href); }
    return;
  }
  if (event.key === "g") { going = event.timeStamp; return; }
  if (event.key === "/") { event.preventDefault(); search(); return; }
  if (event.key === "?") { one("dialog[data-help]")?.showModal(); return; }
  const act = all(`[data-key="${CSS.escape(event.key)}"]`).find((button) => button.checkVisibility());
  if (act) { event.preventDefault(); act.click(); return; }
  if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
});
// The field of this page that searches: the one in the bar, or on a narrow screen that of the page behind its icon.
const search = () => {
  const field = all("#wanted, #jump").find((one) => one.checkVisibility());
  if (field) field.focus(); else one(".jump-link")?.click();
};
const step = (by) => {
  const rows = all("[data-rows] a[data-row]");
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))].focus();
};

// A page that chose for itself what to show says so in its address, so that a refresh shows the same.
const pin = one("[data-pin]");
if (pin) history.replaceState(null, "", pin.dataset.pin);

if (matchMedia("(max-width: 40rem)").matches) all("[data-fold-narrow]").forEach((d) => d.removeAttribute("open"));
startLive({ now });
export { token };
