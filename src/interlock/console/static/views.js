// Views that somebody saved in this browser: a name and the query of the address, by kind.
import { make, one } from "./dom.js";

const place = one("[data-views]");
if (place) {
  const key = `interlock-views-${place.dataset.views}`;
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
  const write = (views) => { try { localStorage.setItem(key, JSON.stringify(views)); } catch { /* a private window keeps nothing */ } };
  const list = one("[data-views-list]", place);
  const form = one("form", place);
  const here = () => {
    const query = new URLSearchParams(location.search);
    for (const name of ["after", "theme"]) query.delete(name);
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    return query.toString();
  };
  const show = () => {
    const views = Object.entries(read());
    list.replaceChildren(...views.map(([name, query]) => {
      const link = make("a", { class: "btn btn--quiet", href: `?${query}`, ...(query === here() ? { "aria-current": "true" } : {}) }, name);
      const drop = make("button", { class: "btn btn--quiet btn--icon", type: "button", "aria-label": `Forget the view ${name}` }, "×");
      drop.addEventListener("click", () => { const left = read(); delete left[name]; write(left); show(); });
      return make("li", {}, link, drop);
    }));
    form.hidden = !here();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = form.elements.view.value.trim();
    if (!name) return;
    write({ ...read(), [name]: here() });
    form.reset();
    show();
  });
  show();
}
