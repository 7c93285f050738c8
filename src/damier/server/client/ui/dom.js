/**
 * Makes elements. Text is always text: nothing from others is ever parsed as HTML.
 *
 * @import { Attributes, Child } from "./dom-types.d.ts"
 */

const SVG = "http://www.w3.org/2000/svg";
/** @type {Map<string, Element>} */
const cache = new Map();
/** @type {Map<string, Promise<void>>} */
const loadedStyles = new Map();

/**
 * @template {Element} E
 * @param {E} node
 * @param {Attributes<E>} attributes
 * @param {readonly Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, /** @type {EventListener} */ (value));
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/**
 * @param {Element} node
 * @param {readonly Child[]} children
 */
function append(node, children) {
  for (const child of children) {
    if (child instanceof Node || typeof child === "string") node.append(child);
    else if (child) append(node, child);
  }
}

/**
 * Makes an HTML element: attributes by name, listeners as functions under the name of the event.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<HTMLElementTagNameMap[K]>} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * Makes an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<SVGElementTagNameMap[K]>} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * Makes nodes of SVG text that is written in this program or comes with it, never of text from others.
 *
 * @param {string} text
 * @returns {ChildNode[]}
 */
export function drawn(text) {
  let group = cache.get(text);
  if (!group) {
    const parsed = new DOMParser().parseFromString(`<g xmlns="${SVG}">${text}</g>`, "image/svg+xml");
    group = document.importNode(parsed.documentElement, true);
    cache.set(text, group);
  }
  return [...group.cloneNode(true).childNodes];
}

/**
 * Makes an image of a picture that the server drew; no script can run in it.
 *
 * @param {string} markup SVG
 * @param {string} alt
 */
export const picture = (markup, alt) =>
  h("img", { src: `data:image/svg+xml,${encodeURIComponent(markup)}`, alt, class: "picture", loading: "lazy" });

/**
 * Loads a style sheet, once; resolves when it is there.
 *
 * @param {string} name
 */
export function styles(name) {
  let loaded = loadedStyles.get(name);
  if (!loaded) {
    const link = h("link", { rel: "stylesheet", href: new URL(`../styles/${name}.css`, import.meta.url).pathname });
    loaded = new Promise((done) => {
      link.onload = link.onerror = () => done();
    });
    loadedStyles.set(name, loaded);
    document.head.append(link);
  }
  return loaded;
}

/**
 * Makes empty places of a page, each with its name as its class, and with a second class if there is a prefix.
 *
 * @template {string} N
 * @param {readonly N[]} names
 * @returns {Record<N, HTMLDivElement>}
 */
export function places(names, prefix = "") {
  const made = names.map((name) => [name, h("div", { class: prefix ? `${prefix}${name} ${name}` : name })]);
  return /** @type {Record<N, HTMLDivElement>} */ (Object.fromEntries(made));
}

/**
 * Returns the element with an id, which every page has.
 *
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * Returns the sentence of an error.
 *
 * @param {unknown} error
 */
export const sentenceOf = (error) => (error instanceof Error ? error.message : String(error));

/** @typedef {keyof typeof ICONS} Icon */

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

/**
 * Makes a line icon; the text beside it says what it means.
 *
 * @param {Icon} name
 */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/**
 * Makes a button with an optional icon.
 *
 * @param {string} text
 * @param {(event: MouseEvent & {currentTarget: HTMLButtonElement}) => unknown} click
 * @param {{look?: string, sign?: Icon, title?: string, disabled?: boolean} & Record<`aria-${string}`, string | null>} more
 */
export function button(text, click, { look = "", sign, title, ...others } = {}) {
  return h("button", { type: "button", class: look, click, title, ...others }, sign && icon(sign), h("span", {}, text));
}
