/**
 * Tabs: one panel of several is shown. The arrow keys, Home and End go from tab to tab, as the ARIA pattern wants it.
 *
 * @import { Child } from "./dom-types.d.ts"
 * @typedef {{name: string, title: string, content: Child}} Tab
 */

import { h, styles } from "./dom.js";

let made = 0;

export class Tabs {
  /** @type {Map<string, {tab: HTMLButtonElement, panel: HTMLElement}>} */
  #parts = new Map();
  chosen = "";

  /**
   * @param {readonly Tab[]} tabs
   * @param {{label: string, chosen?: string, changed?: (name: string) => void}} about `label`: what the tabs are for;
   *   `chosen`: the first one shown; `changed` is called when a person chooses another
   */
  constructor(tabs, { label, chosen = tabs[0].name, changed = () => {} }) {
    styles("tabs");
    this.changed = changed;
    for (const { name, title, content } of tabs) this.#parts.set(name, this.#make(name, title, content));
    const parts = [...this.#parts.values()];
    this.bar = h(
      "div",
      { class: "tab-bar", role: "tablist", "aria-label": label, keydown: (event) => this.#key(event) },
      parts.map(({ tab }) => tab),
    );
    this.element = h(
      "div",
      { class: "tabs" },
      this.bar,
      parts.map(({ panel }) => panel),
    );
    this.choose(this.#parts.has(chosen) ? chosen : tabs[0].name);
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {Child} content
   */
  #make(name, title, content) {
    const id = `tab-${++made}`;
    const click = () => this.#take(name);
    return {
      tab: h(
        "button",
        { type: "button", role: "tab", id, "aria-controls": `${id}-panel`, "data-tab": name, click },
        title,
      ),
      panel: h("div", { class: "tab-panel", role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id }, content),
    };
  }

  /**
   * Shows a panel.
   *
   * @param {string} name
   */
  choose(name) {
    this.chosen = name;
    for (const [each, { tab, panel }] of this.#parts) {
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      panel.hidden = each !== name;
    }
  }

  /**
   * Shows or hides a tab; if it was chosen, the first one is chosen instead.
   *
   * @param {string} name
   * @param {boolean} isShown
   */
  show(name, isShown) {
    const part = this.#parts.get(name);
    if (part) part.tab.hidden = !isShown;
    if (!isShown && this.chosen === name) this.choose([...this.#parts.keys()][0]);
  }

  /**
   * Puts a mark behind the title of a tab, or takes it away.
   *
   * @param {string} name
   * @param {Node | null} mark
   */
  mark(name, mark) {
    const tab = this.#parts.get(name)?.tab;
    tab?.querySelector(":scope > *")?.remove();
    if (mark) tab?.append(mark);
  }

  /** @param {string} name */
  #take(name) {
    this.choose(name);
    this.changed(name);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const names = [...this.#parts].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);
    const at = names.indexOf(this.chosen);
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const name = names[(place + names.length) % names.length];
    this.#take(name);
    this.#parts.get(name)?.tab.focus();
  }
}
