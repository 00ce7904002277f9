// What another reading of a file would change: asked of the API before anything moves, and shown row by row.
import { all, ask, bodyOf, make, one } from "./dom.js";

const MOST = 12;
const money = (text) => {
  if (text === null) return "";
  const digits = (text.split(".")[1] || "").length;
  return `${text.startsWith("-") ? "−" : "+"}${Math.abs(Number(text)).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
};
const cell = (name, before, after) => make("td", { class: name }, ...(before === after ? [after] : [make("span", { class: "was" }, before), make("b", {}, after)]));
const row = ({ description, before, after }) => make("tr", {},
  cell("l-date nowrap", before.date, after.date),
  make("td", { class: "l-what breakable" }, description),
  cell("l-amt num money nowrap", money(before.amount), money(after.amount)));
const plural = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

let asked = 0;
document.addEventListener("change", async (event) => {
  const field = event.target.closest("#readings input[name=reading], #readings [data-otherwise]");
  if (!field) return;
  asked += 1;
  const number = asked;
  const form = field.form;
  const box = one("[data-changes]", form);
  const chosen = one("input[name=reading]:checked", form);
  const isOtherwise = all("[data-otherwise]", form).some((other) => other.value);
  if (!isOtherwise && (!chosen || chosen.hasAttribute("data-current") || chosen.hasAttribute("data-only"))) { box.replaceChildren(); return; }
  const { reason, earlier: again, ...decided } = bodyOf(form);
  const { ok, answer } = await ask(form.dataset.method, form.dataset.api, { ...decided, apply: false });
  if (number !== asked) return;
  if (!ok) { box.replaceChildren(make("p", { class: "small quiet" }, answer.detail || "It could not be tried.")); return; }
  const { reading } = answer;
  const rows = answer.decision.columns ? (reading?.first_rows ?? []).map((one) => ({ description: one.description, before: one, after: one })) : answer.changes;
  const most = answer.decision.columns ? (reading?.rows ?? 0) : answer.changes_total;
  const more = most - Math.min(MOST, rows.length);
  const earlier = answer.earlier_uploads.length;
  const said = answer.decision.columns && !reading ? "These columns were not tried yet: what comes out shows once they are applied." : answer.decision.columns ? `${plural(most, "row")} would be read${reading.unread ? `, ${reading.unread} could not be` : ""}.` : `${plural(most, "row")} would change.`;
  const accounts = [["account", "Account"], ["account_type", "Type of account"]].filter(([name]) => answer.decision[name]).map(([name, words]) => make("p", { class: "small" }, `${words}: `, make("span", { class: "was" }, answer[`${name}_before`] ?? "none"), " ", make("b", {}, answer[`${name}_after`])));
  box.replaceChildren(
    make("p", { class: "small" }, make("b", {}, said), earlier ? ` ${plural(earlier, "other file")} of this bank and layout would be read again too, if you say so below.` : " No other file of this bank and layout would be read otherwise."),
    ...(answer.replaces ? [make("p", { class: "small" }, make("b", {}, `Replaces what ${answer.replaces.decided_by} decided on ${answer.replaces.decided_at.slice(0, 10)}: `), answer.replaces.reason)] : []),
    ...accounts,
    make("div", { class: "scroll" }, make("table", { class: "table ledgerlike" }, make("tbody", {}, ...rows.slice(0, MOST).map(row)))),
    ...(more > 0 ? [make("p", { class: "small quiet" }, `and ${plural(more, "row")} more`)] : []));
  box.dataset.ready = JSON.stringify(decided);
});

// What the new reading led to stands at the top: whether it adds up now. The readings follow with the next look at the page.
document.addEventListener("interlock:acted", (event) => {
  if (event.target.closest("#readings")) one("#file")?.focus();
});

// What was chosen before this script was there, or is still chosen as the page comes back, counts as chosen now.
all("#readings input[name=reading]:checked:not([data-current]), #readings [data-otherwise]").forEach((field) => {
  if (field.value) field.dispatchEvent(new Event("change", { bubbles: true }));
});
