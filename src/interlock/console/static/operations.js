// Bulk acts: what was previewed is frozen, run, paused, and undone; each step is a request to the API.
import { all, ask, base, make, mark, one } from "./dom.js";
import { refresh } from "./live.js";

const api = `${base}/api/v1/operations`;
const say = (form, tone, symbol, bold, text, code) => {
  const box = one("[data-answer]", form);
  box.className = `notice is-${tone}`;
  box.setAttribute("role", "alert");
  const line = make("p", {}, make("b", {}, bold), ` ${text} `);
  if (code) line.append(make("code", {}, code));
  box.replaceChildren(mark(symbol, tone), make("div", {}, line));
  box.hidden = false;
};
const refused = (form, { answer }) => say(form, "failed", "m-failed", "Refused.", `${answer.detail || "The service refused it."} ${answer.hint || ""}`, answer.code);

// Waits until an operation is over or paused, and says meanwhile how far it is.
const ended = async (form, id) => {
  for (;;) {
    const { ok, answer } = await ask("GET", `${api}/${encodeURIComponent(id)}`);
    const operation = answer.operation ?? answer;
    if (ok && operation.status !== "running" && operation.status !== "planned") return operation;
    say(form, "running", "m-running", ok ? `${operation.done} of ${operation.records}.` : "The service does not answer.", "It goes on, also without this page.");
    await new Promise((resolve) => { setTimeout(resolve, 250); });
  }
};

// What was a preview has been run: the panel says so, and is closed instead of dropped.
const finish = (panel) => {
  one("[data-preview-word]", panel).textContent = "run, and written in the ledger";
  const steps = all(".steps li", panel);
  steps.forEach((step) => { step.removeAttribute("aria-current"); one(".mark", step).replaceWith(mark("m-done", "done")); });
  steps.at(-1).setAttribute("aria-current", "step");
  all(".tally, .counts, .field", panel).forEach((asked) => asked.remove()); // what came of it is in the answer, and with its reason in the list below
  one("[data-drop-preview]", panel).textContent = "Close";
};

// Makes the operation, runs it, and says what came of it: moved, refused, left.
const carry = async (form, url, body) => {
  const button = one("button[type=submit]", form);
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  const made = await ask("POST", url, body);
  if (!made.ok) { button.removeAttribute("aria-busy"); refused(form, made); return; }
  const id = made.answer.operation.id;
  const ran = await ask("POST", `${api}/${encodeURIComponent(id)}/run`);
  if (!ran.ok) { button.removeAttribute("aria-busy"); refused(form, ran); return; }
  const operation = await ended(form, id);
  button.removeAttribute("aria-busy");
  const outcomes = operation.outcomes || {};
  const moved = outcomes.moved || 0;
  const others = Object.entries(outcomes).filter(([name]) => name !== "moved" && name !== "unchanged").reduce((sum, [, n]) => sum + n, 0);
  say(form, "done", "m-done", `${moved} moved${others ? `, ${others} refused` : ""}.`, others ? "What was refused is below, with its reason." : "");
  form.dataset.state = "done";
  form.classList.remove("act");
  button.remove();
  if (form.hasAttribute("data-bulk")) {
    history.replaceState(null, "", `${base}/operations`);
    finish(form.closest("[data-preview]"));
  }
  await refresh(`${base}/operations`);
};

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-bulk], form[data-undo-of]");
  if (!form) return;
  event.preventDefault();
  const reason = new FormData(form).get("reason");
  if (form.dataset.undoOf) carry(form, `${api}/${encodeURIComponent(form.dataset.undoOf)}/undo`, { reason });
  else carry(form, api, { ...JSON.parse(form.dataset.body), reason });
});

// A refusal stands beside the button that asked, or first in the list where the button is gone by now.
const refuse = (name, answer) => {
  const line = make("p", {}, make("b", {}, "Refused."), ` ${answer.detail || "The service refused it."} ${answer.hint || ""} `, make("code", {}, answer.code || ""));
  const box = make("div", { class: "notice is-failed", role: "alert" }, mark("m-failed", "failed"), make("div", {}, line));
  const beside = one(`[data-focus="${CSS.escape(name)}"]`)?.closest(".acts");
  if (beside) beside.after(box); else one("#bulk-list").prepend(box);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  button.setAttribute("aria-busy", "true");
  const { ok, answer } = await ask("POST", button.dataset.post);
  button.removeAttribute("aria-busy");
  await refresh();
  if (!ok) refuse(button.dataset.focus, answer);
});
