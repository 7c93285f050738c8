/**
 * A button that opens a menu. Arrow keys, Home and End go from item to item, Escape and Tab close it, as the ARIA
 * pattern wants it. The items are made anew whenever it opens.
 *
 * @import { Icon } from "../../ui/icons.js"
 * @typedef {{text: string, sign?: Icon, act?: () => void, href?: string, isOn?: () => boolean}} MenuItem `href`: a link;
 *   `isOn`: a switch, which leaves the menu open
 */

import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

export class Menu {
  /**
   * @param {string} label
   * @param {() => MenuItem[]} items
   */
  constructor(label, items) {
    this.items = items;
    this.button = h(
      "button",
      {
        type: "button",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        "aria-label": label,
        title: label,
        click: () => (this.list.hidden ? this.open() : this.close()),
        keydown: (event) => this.#keyAtButton(event),
      },
      icon("more"),
    );
    this.list = h("div", {
      class: "menu panel",
      role: "menu",
      "aria-label": label,
      hidden: true,
      keydown: (event) => this.#key(event),
      pointerdown: (event) => event.preventDefault(), // the focus stays in the menu until the click
    });
    this.element = h(
      "div",
      { class: "menu-place", focusout: (event) => this.#left(event.relatedTarget) },
      this.button,
      this.list,
    );
  }

  /** @param {number} [at] the item that gets the focus; -1 is the last */
  open(at = 0) {
    this.list.replaceChildren(...this.items().map((item) => this.#item(item)));
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.#focus(at);
    this.list.scrollIntoView({ block: "nearest" });
  }

  close() {
    const hadFocus = this.list.contains(document.activeElement);
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (hadFocus) this.button.focus();
  }

  /** @param {MenuItem} item */
  #item({ text, sign, act, href, isOn }) {
    const about = {
      role: isOn ? "menuitemcheckbox" : "menuitem",
      tabindex: "-1",
      "aria-checked": isOn ? String(isOn()) : null,
    };
    const content = [isOn ? icon("check") : sign ? icon(sign) : h("span", { class: "icon" }), h("span", {}, text)];
    if (href) return h("a", { ...about, href, click: () => this.close() }, content);
    const choose = (/** @type {{currentTarget: HTMLElement}} */ { currentTarget }) => {
      if (!isOn) this.close();
      act?.();
      if (isOn) currentTarget.setAttribute("aria-checked", String(isOn()));
    };
    return h("button", { type: "button", class: "plain", ...about, click: choose }, content);
  }

  get #all() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  /** @param {number} at */
  #focus(at) {
    this.#all.at(at % this.#all.length)?.focus({ preventScroll: true });
  }

  /** @param {EventTarget | null} to */
  #left(to) {
    if (!(to instanceof Node && this.element.contains(to))) this.close();
  }

  /** @param {KeyboardEvent} event */
  #keyAtButton(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.open(event.key === "ArrowUp" ? -1 : 0);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = this.#all.findIndex((item) => item === document.activeElement);
    /** @type {Record<string, number>} */
    const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (event.key === "Escape" || event.key === "Tab") this.close();
    if (place !== undefined) this.#focus(place);
    if (place !== undefined || event.key === "Escape") event.preventDefault();
  }
}
