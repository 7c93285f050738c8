/** The best lines of a position, live: from a table, then they are exact, else as the engine judges them. */

import { Study } from "../../net/analysis-socket.js";
import { language, t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { signOf, valueText } from "../../ui/values.js";
import { readable } from "./move-list.js";

const SHOWN = 12; // actions of a line that are shown
const MOST = 5;

export class EngineLines {
  #study = new Study();
  #line = null;
  isOn = false;
  count = 3;

  /** @param {{play: (actions: string[]) => void, turnedOn: () => void}} about `turnedOn`: a line is wanted */
  constructor(about) {
    this.about = about;
    this.switch = button(t("lines.start"), () => (this.isOn ? this.stop() : this.start()), {
      sign: "on",
      "aria-pressed": "false",
    });
    this.told = h("p", { class: "soft told" });
    this.list = h("ol", { class: "lines-found" });
    const change = ({ target }) => {
      this.count = Number(target.value);
      if (this.isOn) this.about.turnedOn();
    };
    const counts = Array.from({ length: MOST }, (_, i) =>
      h("option", { value: i + 1, selected: i + 1 === this.count }, String(i + 1)),
    );
    this.element = h(
      "section",
      { class: "engine-lines", "aria-label": t("lines.title") },
      h(
        "div",
        { class: "engine-head" },
        h("h2", {}, t("lines.title")),
        this.switch,
        h(
          "label",
          { class: "pick-count" },
          h("span", {}, t("lines.count")),
          h("select", { change, autocomplete: "off" }, counts),
        ),
      ),
      this.told,
      this.list,
    );
  }

  close() {
    this.#study.close();
  }

  start() {
    this.isOn = true;
    this.#drawSwitch();
    this.told.textContent = t("lines.wait");
    this.about.turnedOn();
  }

  stop() {
    this.isOn = false;
    this.#study.stop();
    this.#drawSwitch();
    this.told.textContent = "";
    this.list.replaceChildren();
  }

  #drawSwitch() {
    this.switch.setAttribute("aria-pressed", String(this.isOn));
    this.switch.querySelector("span").textContent = t(this.isOn ? "lines.stop" : "lines.start");
  }

  /** Looks at another position, if it is on; `player` is whose chances are told. */
  look(line, player) {
    if (!this.isOn) return;
    this.#line = line;
    this.list.classList.add("old");
    this.#study.ask({ ...line, lines: this.count }, (message) => line === this.#line && this.#hear(message, player));
  }

  #hear(message, player) {
    this.list.classList.remove("old");
    if (message.error) {
      this.told.textContent = message.error;
      return;
    }
    this.element.classList.toggle("exact", Boolean(message.is_exact));
    this.told.textContent = message.lines.length ? this.#tell(message, player) : t("lines.over");
    this.list.replaceChildren(...message.lines.map((line) => this.#row(line, message.is_exact)));
  }

  #tell({ is_exact: isExact, depth, nodes_per_second: speed, is_done: isDone }, player) {
    const whose = t("lines.whose", { player });
    if (isExact) return [t("lines.exact"), whose].join(" · ");
    const said = [
      t("lines.opinion"),
      t("lines.depth", { depth }),
      t("lines.speed", { speed: Math.round(speed).toLocaleString(language()) }),
      whose,
    ];
    return [...said, ...(isDone ? [t("lines.done")] : [])].join(" · ");
  }

  #row(line, isExact) {
    const actions = line.actions.slice(0, SHOWN).map((action) => h("span", { class: "said" }, readable(action)));
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "plain", title: t("lines.add"), click: () => this.about.play(line.actions) },
        signOf(line, isExact),
        h("b", { class: "worth" }, valueText(line, isExact)),
        h("span", { class: "way" }, actions, line.actions.length > SHOWN && "…"),
      ),
    );
  }
}
