/** Making elements. Text is always text: nothing from others is ever parsed as HTML. */

const SVG = "http://www.w3.org/2000/svg";
const cache = new Map();

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: attributes by name, listeners as functions under the name of the event. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Nodes of SVG text that is written in this program, never of text from elsewhere. */
export function drawn(text) {
  if (!cache.has(text)) {
    const parsed = new DOMParser().parseFromString(`<g xmlns="${SVG}">${text}</g>`, "image/svg+xml");
    cache.set(text, document.importNode(parsed.documentElement, true));
  }
  return [...cache.get(text).cloneNode(true).childNodes];
}

/** A picture that the server drew, shut in an image, where no script can run. */
export const picture = (markup, alt) =>
  h("img", { src: `data:image/svg+xml,${encodeURIComponent(markup)}`, alt, class: "picture", loading: "lazy" });

/** Loads the style sheet of a page, once. */
export function styles(name) {
  const href = `/static/styles/${name}.css`;
  const known = document.querySelector(`link[href="${href}"]`);
  if (known) return known.loaded;
  const link = h("link", { rel: "stylesheet", href });
  link.loaded = new Promise((done) => (link.onload = link.onerror = done));
  document.head.append(link);
  return link.loaded;
}

const ICONS = {
  undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12H8",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1.1.9 1.7V16h5.4v-.5c0-.6.3-1.2.9-1.7A6 6 0 0 0 12 3",
  resign: "M6 21V4M6 5c4-3 8 3 13 0v9c-5 3-9-3-13 0",
  draw: "M6 9h12M6 15h12",
  flip: "M7 4v16M7 20l-3-3M7 20l3-3M17 20V4M17 4l-3 3M17 4l3 3",
  turn: "M20 12a8 8 0 1 1-2.5-5.8M20 3v4h-4",
  turnback: "M4 12a8 8 0 1 0 2.5-5.8M4 3v4h4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  sound: "M4 10v4h4l5 4V6L8 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  values: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
  again: "M5 12a7 7 0 1 1 2 5M5 20v-4h4",
  plus: "M12 5v14M5 12h14",
  back: "M14 6l-6 6 6 6",
  on: "M10 6l6 6-6 6",
  first: "M17 6l-6 6 6 6M7 6v12",
  last: "M7 6l6 6-6 6M17 6v12",
  check: "M5 13l4 4 10-10",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  promote: "M12 20V6M6 11l6-6 6 6M5 3h14",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  restore: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12H8",
};

/** One of our own line icons; the text beside it says what it means. */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** A button with an optional icon. */
export function button(text, click, { look = "", sign, title, ...others } = {}) {
  return h("button", { type: "button", class: look, click, title, ...others }, sign && icon(sign), h("span", {}, text));
}
