// Curating: a key decides, the row settles at once, the next one comes; what was decided is sent behind, and z takes it back.
import { now } from "./console.js";
import { all, ask, keysAreOff, make, mark, one, typing } from "./dom.js";

const MOST_UNDOS = 100;
const AT_ONCE = 4;
const root = one("[data-curate]");
const rows = all("[data-sift] tbody tr");
if (root) {
  const api = root.dataset.api;
  const axis = root.dataset.axis;
  const from = root.dataset.state;
  const verbs = new Map(all("[data-verb]").map((button) => [button.dataset.verb, button]));
  const undos = [];
  const queue = [];
  let at = 0, under_way = 0;

  const first_mark = rows[0] ? one("[data-decision] .mark", rows[0]).cloneNode(true) : null;
  const show = () => {
    if (!rows.length) return;
    rows.forEach((row, i) => { row.classList.toggle("now", i === at); if (i === at) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current"); });
    const row = rows[at];
    one("[data-card-position]").textContent = `${at + 1} of ${rows.length}`;
    const label = one("[data-card-label]");
    label.textContent = row.dataset.label;
    label.href = row.dataset.href;
    one("[data-card-title]").textContent = row.dataset.title;
    one("[data-card-text]").textContent = row.dataset.text;
    one("[data-card-link]").hidden = !row.dataset.link;
    if (row.dataset.link) one("[data-open-link]").href = row.dataset.link;
    one("[data-card-facts]").replaceChildren(...JSON.parse(row.dataset.facts).flatMap(([name, value]) => [make("dt", {}, name), make("dd", { class: "breakable" }, value)]));
    const effects = JSON.parse(row.dataset.effects);
    verbs.forEach((button) => { one("[data-effect]", button).textContent = effects[button.dataset.to]?.[0] || ""; });
    row.scrollIntoView({ block: "nearest" });
    one("[data-end]").hidden = true;
  };
  // After the last row: what is left of this page, and where it goes on. Nothing is opened by itself, for the undos end with the page.
  const end = () => {
    const left = rows.filter((row) => !row.classList.contains("settled")).length;
    one("[data-end-word]").textContent = left ? `That was the last one. ${left} on this page ${left === 1 ? "is" : "are"} not decided.` : "Every one on this page is decided.";
    one("[data-end]").hidden = false;
  };
  const step = (by) => {
    at = Math.min(rows.length - 1, Math.max(0, at + by));
    show();
  };
  const paint = (row, word, symbol, tone, then, settled) => {
    row.classList.toggle("settled", settled);
    const cell = one("[data-decision] .state", row);
    cell.replaceChildren(symbol ? mark(symbol, tone) : first_mark.cloneNode(true), make("span", { class: "word" }, word));
    one("[data-then]", row).textContent = then;
  };
  // Every number on the page that counts these records follows at once: those left here, those of the state they went to, and the rail's.
  const bump = (selector, by) => all(selector).forEach((box) => { box.textContent = Math.max(0, Number(box.textContent.replaceAll(",", "")) + by).toLocaleString("en-US"); });
  const count = (by, to) => {
    bump("[data-left]", by);
    bump(`[data-in="${CSS.escape(from)}"]`, by);
    if (to !== undefined) bump(`[data-in="${CSS.escape(to)}"]`, -by);
    bump("[data-decided]", -by);
    if (one("[data-decided]")) bump('.rail [aria-current] [data-due]', by);
    one("[data-undo-count]").textContent = String(undos.length);
    offer();
  };
  const offer = () => { if (undos.length) one("[data-undo]").removeAttribute("aria-disabled"); else one("[data-undo]").setAttribute("aria-disabled", "true"); };
  const trouble = (word, text, code) => {
    const box = one("[data-trouble]");
    one("[data-trouble-word]", box).textContent = word;
    one("[data-trouble-text]", box).textContent = text;
    one("[data-trouble-code]", box).textContent = code || "";
    box.hidden = false;
  };

  // What was decided is sent in its order, a few at a time, and never two about the same record at once.
  const busy = new Set();
  const send = () => {
    while (under_way < AT_ONCE) {
      const next = queue.findIndex((item) => !busy.has(item.row));
      if (next < 0) return;
      const item = queue.splice(next, 1)[0];
      under_way += 1;
      busy.add(item.row);
      post(item).finally(() => { under_way -= 1; busy.delete(item.row); root.dataset.pending = String(queue.length + under_way); send(); });
    }
  };
  // Each decision is about the version that was seen here: what somebody else decided meanwhile is said, never overwritten.
  const post = async ({ row, to, reason, entry, was }) => {
    const body = { axis, to: to === "null" ? null : to, version: Number(row.dataset.version) };
    if (reason) body.reason = reason;
    const { ok, answer } = await ask("POST", `${api}/${encodeURIComponent(row.dataset.id)}/moves`, body);
    if (ok) {
      const driven = (answer.driven || []).map((move) => `then ${move.new_status ?? move.to ?? "null"}`).join(", ");
      if (answer.version !== undefined) row.dataset.version = String(answer.version);
      if (driven && row.classList.contains("settled")) one("[data-then]", row).textContent = driven;
      if (was && row.dataset.driven) one("[data-then]", row).textContent = `taken back, ${driven || "the work goes on"}`;
      row.dataset.driven = was ? "" : driven;
      return;
    }
    if (was) { paint(row, ...was, true); count(-1, entry.to); } else {
      paint(row, from, "", "", "not decided", false);
      row.classList.add("refused");
      const undone = queue.findIndex((item) => item.row === row && item.was);
      if (undone >= 0) queue.splice(undone, 1); else count(1, to); // a decision that was not made is not taken back, and was counted back already
    }
    const place = undos.indexOf(entry);
    if (place >= 0 && entry.targets.length === 1) { undos.splice(place, 1); entry.line?.remove(); count(0); }
    trouble(`${row.dataset.label} was not ${was ? "taken back" : "decided"}.`, answer.detail || "The service refused it.", answer.code);
  };
  const enqueue = (item) => { queue.push(item); root.dataset.pending = String(queue.length + under_way); send(); };

  const decide = (key) => {
    const button = verbs.get(key);
    if (!button || !rows.length) return;
    if (root.dataset.refused) { trouble("Nothing was decided.", root.dataset.refused, "ILK-403"); return; }
    const picked = rows.filter((row) => one(".pick", row).checked);
    const targets = (picked.length ? picked : [rows[at]]).filter((row) => !row.classList.contains("settled"));
    if (!targets.length) { step(1); return; }
    const to = button.dataset.to;
    const entry = { targets, to, symbol: button.dataset.symbol, tone: button.dataset.tone };
    undos.push(entry);
    if (undos.length > MOST_UNDOS) undos.shift();
    for (const row of targets) {
      const effects = JSON.parse(row.dataset.effects);
      row.classList.remove("refused");
      paint(row, to, button.dataset.symbol, button.dataset.tone, effects[to]?.[1] || "", true);
      one(".pick", row).checked = false;
      enqueue({ row, to, entry });
    }
    count(-targets.length, to);
    log(entry, button);
    if (!picked.length || rows.every((row) => row.classList.contains("settled"))) forward();
  };
  const forward = () => {
    const next = rows.findIndex((row, i) => i > at && !row.classList.contains("settled"));
    if (next >= 0) { at = next; show(); } else { step(1); end(); }
  };
  const log = (entry, button) => {
    const what = entry.targets.length > 1 ? `${entry.targets.length} records` : entry.targets[0].dataset.label;
    const then = entry.targets.length > 1 ? "" : `: ${one("[data-then]", entry.targets[0]).textContent}`;
    const at = new Date(now()).toISOString();
    entry.line = make("li", {}, mark(button.dataset.symbol, button.dataset.tone), make("span", { class: "breakable" }, `${entry.to} ${what}${then}`), make("time", { datetime: at, "data-age": "plain", class: "faint tiny" }, "now"));
    const list = one("[data-done-list]");
    list.prepend(entry.line);
    while (list.children.length > 12) list.lastElementChild.remove();
    one("[data-nothing-yet]").hidden = true;
  };
  const undo = () => {
    const entry = undos.pop();
    if (!entry) return;
    const targets = entry.targets.filter((row) => !row.classList.contains("refused"));
    for (const row of targets) {
      const was = [entry.to, entry.symbol, entry.tone, one("[data-then]", row).textContent];
      paint(row, from, "", "", "taken back", false);
      enqueue({ row, to: from, reason: `taken back: ${entry.to}`, entry, was });
    }
    entry.line?.remove();
    count(targets.length, entry.to);
    at = rows.indexOf(entry.targets[0]);
    show();
  };

  verbs.forEach((button, key) => button.addEventListener("click", () => decide(key)));
  one("[data-undo]")?.addEventListener("click", undo);
  rows.forEach((row, i) => row.addEventListener("click", (event) => { if (!event.target.closest("input, a")) { at = i; show(); } }));
  all("[data-show]").forEach((button) => button.addEventListener("click", () => {
    document.body.dataset.view = button.dataset.show;
    all("[data-show]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
  }));
  addEventListener("keydown", (event) => {
    if (typing() || event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    if (event.target.matches?.("button, a, input") && (event.key === " " || event.key === "Enter")) return;
    if (keysAreOff()) return;
    const act = { Enter: one("[data-end]:not([hidden])") ? () => one("[data-end] a").click() : null, j: () => step(1), ArrowDown: () => step(1), " ": forward, k: () => step(-1), ArrowUp: () => step(-1), z: undo,
      x: () => { if (rows.length) { const pick = one(".pick", rows[at]); pick.checked = !pick.checked; } },
      a: () => { const open = rows.filter((row) => !row.classList.contains("settled")); const on = open.some((row) => !one(".pick", row).checked); open.forEach((row) => { one(".pick", row).checked = on; }); },
      f: () => one("[data-filter]")?.focus(),
      o: () => { if (rows.length && rows[at].dataset.link) one("[data-open-link]").click(); } }[event.key] || (verbs.has(event.key) ? () => decide(event.key) : null);
    if (act) { event.preventDefault(); event.stopImmediatePropagation(); act(); }
  }, true);
  addEventListener("beforeunload", (event) => { if (queue.length + under_way) event.preventDefault(); });
  document.body.dataset.still = "on";
  show();
}
