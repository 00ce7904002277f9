// The few helpers that every module of the console uses.
export const one = (selector, from = document) => from.querySelector(selector);
export const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const meta = (name) => one(`meta[name="${name}"]`)?.content ?? "";
export const base = meta("interlock-base");
export const token = meta("interlock-token");

export const typing = () => {
  const at = document.activeElement;
  return !!at && (at.isContentEditable || /^(TEXTAREA|SELECT)$/.test(at.tagName) || (at.tagName === "INPUT" && !/^(radio|checkbox|range|button|submit)$/.test(at.type)));
};

// Whether single keys were turned off in this browser.
export const keysAreOff = () => { try { return localStorage.getItem("interlock-keys") === "off"; } catch { return false; } };

// Signs that turn the direction of a text are visible, as the server writes them.
const unturned = (child) => (typeof child === "string" ? child.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`) : child);

// An element with attributes and children; text is always text, never markup.
export const make = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.map(unturned));
  return made;
};

export const mark = (symbol, tone) => {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", `mark is-${tone}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
};

// What a form says, as the body of a request: a select without a choice says nothing, `data-merge` holds JSON, and `columns.amount` is a part.
export const bodyOf = (form) => {
  const body = { ...JSON.parse(form.dataset.body || "{}") };
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked) || (field.tagName === "SELECT" && !field.value)) continue;
    const value = field.type === "checkbox" ? field.checked : field.value;
    const [name, part] = field.name.split(".");
    if (field.matches("[data-merge]")) Object.assign(body, JSON.parse(field.value));
    else body[name] = part ? { ...body[name], [part]: value } : value;
  }
  return body;
};

// Asks the API as whoever is signed in; the answer and its status, never an exception for a refusal.
export const ask = async (method, url, body) => {
  const headers = { "X-Interlock-Token": token, Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin" });
    const text = await response.text();
    let answer = {};
    try { answer = text ? JSON.parse(text) : {}; } catch { answer = { detail: "The answer could not be read." }; }
    return { ok: response.ok, status: response.status, answer };
  } catch {
    return { ok: false, status: 0, answer: { detail: "The service does not answer. Whether this was done shows when it is back.", code: "" } };
  }
};

const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
// A span as the server writes it: 0.4 s, 21 min, 2 d 4 h.
export const span = (seconds) => {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1).replace(".0", "")} s`;
  let left = Math.round(seconds);
  const parts = [];
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count) parts.push(`${count} ${unit}`);
    if (parts.length && (parts.length === 2 || unit === "min")) break;
  }
  return parts.join(" ");
};
