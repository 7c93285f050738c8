/**
 * The best lines of a position, live: from the table where there is one, else as the engine judges them.
 *
 * @import { AnalysisLine, DrawingData } from "../../net/wire.d.ts"
 * @import { AnalysisAnswer } from "../../net/sockets/analysis-socket.js"
 * @import { Line } from "../../types.d.ts"
 */

import { shownAction } from "../../board/rolls.js";
import { analysis } from "../../net/sockets/analysis-socket.js";
import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { signOf, valueText } from "../../ui/values/values.js";

const SHOWN = 12; // turns of a line that are shown
const MOST = 5;

export class EngineLines {
  #cancel = () => {};
  isOn = false;
  count = 3;

  /**
   * @param {DrawingData} drawing
   * @param {{play: (actions: string[]) => void, turnedOn: () => void, found: (lines: AnalysisLine[]) => void,
   *   point: (number: number | null) => void, arrows: (isOn: boolean) => void}} about `turnedOn`: call `look`; `found`: lines to draw on the board;
   *   `point`: the line that is pointed at
   */
  constructor(drawing, about) {
    this.drawing = drawing;
    this.about = about;
    this.switch = button(t("lines.start"), () => (this.isOn ? this.stop() : this.start()), {
      sign: "on",
      "aria-pressed": "false",
    });
    this.told = h("p", { class: "soft told" });
    this.retry = button(t("live.retry"), () => analysis.retry());
    this.lost = h("div", { class: "buttons", role: "status", hidden: true }, h("p", {}, t("live.lost")), this.retry);
    this.list = h("ol", { class: "lines-found" });
    /** @type {HTMLButtonElement} */
    this.arrows = h(
      "button",
      {
        type: "button",
        role: "switch",
        "aria-checked": "true",
        title: t("lines.arrows.title"),
        click: () => {
          const isOn = this.arrows.getAttribute("aria-checked") !== "true";
          this.arrows.setAttribute("aria-checked", String(isOn));
          this.about.arrows(isOn);
        },
      },
      t("lines.arrows"),
    );
    const change = (/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => {
      this.count = Number(currentTarget.value);
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
        this.arrows,
      ),
      this.told,
      this.lost,
      this.list,
    );
    analysis.onStatus = (isConnected) => (this.lost.hidden = isConnected);
  }

  close() {
    this.#cancel();
    analysis.onStatus = () => {};
  }

  start() {
    this.isOn = true;
    this.#drawSwitch();
    this.told.textContent = t("lines.wait");
    this.about.turnedOn();
  }

  stop() {
    this.isOn = false;
    this.#cancel();
    this.#drawSwitch();
    this.told.textContent = "";
    this.#draw([]);
  }

  #drawSwitch() {
    this.switch.setAttribute("aria-pressed", String(this.isOn));
    (this.switch.lastElementChild ?? this.switch).textContent = t(this.isOn ? "lines.stop" : "lines.start");
  }

  /**
   * Analyses another position, if it is on.
   *
   * @param {Line} line
   * @param {string} player whose chances are told
   * @param {(answer: AnalysisAnswer) => void} heard called with every answer
   */
  look(line, player, heard) {
    if (!this.isOn) return;
    this.#cancel();
    this.leave();
    this.#cancel = analysis.ask({ ...line, lines: this.count }, (answer) => {
      this.#hear(answer, player);
      heard(answer);
    });
  }

  /** Leaves a position: its lines are no longer those of the board. */
  leave() {
    this.list.classList.add("old");
    this.about.point(null);
    this.about.found([]);
  }

  /**
   * @param {AnalysisAnswer} message
   * @param {string} player
   */
  #hear(message, player) {
    this.list.classList.remove("old");
    if (message.error) {
      this.told.textContent = message.error;
      return;
    }
    this.element.classList.toggle("exact", Boolean(message.is_exact));
    const lines = message.lines ?? [];
    this.told.textContent = lines.length ? this.#tell(message, player) : t("lines.over");
    this.#draw(lines);
  }

  /** @param {AnalysisLine[]} lines */
  #draw(lines) {
    this.about.point(null);
    this.about.found(lines);
    this.list.replaceChildren(...lines.map((line, i) => this.#row(line, i)));
  }

  /**
   * @param {AnalysisAnswer} answer
   * @param {string} player
   */
  #tell({ is_from_table, is_exact: isExact, note, depth = 0, nodes_per_second: speed = 0, is_done: isDone }, player) {
    const whose = t("lines.whose", { player });
    if (is_from_table) return [t(isExact ? "lines.exact" : "lines.table"), whose, ...(note ? [note] : [])].join(" · ");
    const said = [
      t("lines.opinion"),
      t("lines.depth", { depth }),
      t("lines.speed", { speed: Math.round(speed) }),
      whose,
    ];
    return [...said, ...(isDone ? [t("lines.done")] : [])].join(" · ");
  }

  /**
   * @param {AnalysisLine} line
   * @param {number} number
   */
  #row(line, number) {
    const point = () => this.about.point(number);
    const leave = () => this.about.point(null);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "plain",
          title: t("lines.add"),
          click: () => this.about.play(line.actions),
          pointerenter: point,
          pointerleave: leave,
          focus: point,
          blur: leave,
        },
        signOf(line),
        h("b", { class: "worth" }, valueText(line)),
        h(
          "span",
          { class: "way" },
          turnNodes(this.drawing, line.turns.slice(0, SHOWN)),
          line.turns.length > SHOWN && "…",
        ),
      ),
    );
  }
}

/**
 * Makes the turns of a line: the actions of each joined by plus signs, as the shell prints them; rolls as dice.
 *
 * @param {Pick<DrawingData, "rolls" | "looks">} drawing
 * @param {readonly (readonly string[])[]} turns
 */
export const turnNodes = (drawing, turns) =>
  turns.map((turn) =>
    h(
      "span",
      { class: "said" },
      turn.map((action, i) => [i > 0 && "+", shownAction(drawing, action)]),
    ),
  );
