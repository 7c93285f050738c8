/**
 * Makes elements. Text is always text: nothing from others is ever parsed as HTML.
 *
 * @import { Attributes, Child } from "./dom-types.d.ts"
 * @import { Icon } from "./icons.js"
 */

import { icon } from "./icons.js";

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
