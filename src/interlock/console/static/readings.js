// What another reading of a file would change: asked of the API before anything moves, and shown row by row.
import { ask, make, one } from "./dom.js";

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
  const field = event.target.closest("#readings input[name=reading]");
  if (!field) return;
  asked += 1;
  const number = asked;
  const box = one("[data-changes]", field.form);
  if (field.hasAttribute("data-current")) { box.replaceChildren(); return; }
  const { ok, answer } = await ask(field.form.dataset.method, field.form.dataset.api, { ...JSON.parse(field.value), apply: false });
  if (number !== asked) return;
  if (!ok) { box.replaceChildren(make("p", { class: "small quiet" }, answer.detail || "It could not be tried.")); return; }
  const { reading } = answer;
  const rows = answer.decision.columns ? (reading?.first_rows ?? []).map((one) => ({ description: one.description, before: one, after: one })) : answer.changes;
  const most = answer.decision.columns ? (reading?.rows ?? 0) : rows.length;
  const more = most - Math.min(MOST, rows.length);
  const earlier = answer.earlier_uploads.length;
  const said = answer.decision.columns ? `${plural(most, "row")} would be read${reading?.unread ? `, ${reading.unread} could not be` : ""}.` : `${plural(rows.length, "row")} would change.`;
  box.replaceChildren(
    make("p", { class: "small" }, make("b", {}, said), earlier ? ` ${plural(earlier, "earlier file")} of this bank and layout would be read again too, if you say so below.` : " No earlier file of this bank and layout is here."),
    make("div", { class: "scroll" }, make("table", { class: "table ledgerlike" }, make("tbody", {}, ...rows.slice(0, MOST).map(row)))),
    ...(more > 0 ? [make("p", { class: "small quiet" }, `and ${plural(more, "row")} more`)] : []));
  box.dataset.ready = field.value;
});

// What the new reading led to stands at the top: whether it adds up now. The readings follow with the next look at the page.
document.addEventListener("interlock:acted", (event) => {
  if (event.target.closest("#readings")) one("#file")?.focus();
});
