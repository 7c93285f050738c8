/**
 * The parts of an analysis and their places on the page.
 *
 * @import { Moment } from "../../types.d.ts"
 * @import { Analysis } from "./analysis.js"
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

import { rolledPoints } from "../../board/rolls.js";
import { die, smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { ChanceGraph } from "../../ui/chance-graph.js";
import { toggles } from "../../ui/controls.js";
import { button, h } from "../../ui/dom.js";
import { KnownValues } from "../../ui/known-values.js";
import { RecordReader, shareFold } from "../../ui/share.js";
import { EngineLines } from "./engine-lines.js";
import { MoveList } from "./move-list.js";
import { stepButtons } from "./steps.js";
import { endOf } from "./tree.js";

const LONGEST_COMMENT = 4000;

/** @param {Analysis} analysis */
export function makeParts(analysis) {
  const { game, drawing, positions } = analysis;
  return {
    board: new PlayBoard(drawing, {
      title: game.title,
      of: positions.about,
      play: ({ action }) => analysis.play(action),
      why: (what) => post("lines/why", { ...positions.line(analysis.now), ...what }),
      refuse: () => analysis.refuse(),
      tap: (cell) => analysis.tapEarly(cell),
      more: () => analysis.underBoard(),
    }),
    moves: new MoveList(drawing, (node) => analysis.goTo(node)),
    steps: stepButtons(analysis.acts),
    lines: new EngineLines(drawing, {
      play: (actions) => analysis.playLine(actions),
      turnedOn: () => analysis.settle(),
    }),
    known: new KnownValues({
      show: (values) => analysis.parts.board.showValues(values),
      choose: (action) => analysis.play(action),
      built: () => analysis.settle(),
    }),
    graph: new ChanceGraph({
      line: () => positions.line(endOf(analysis.now)),
      players: () => analysis.players,
      goTo: (moment) => analysis.goTo(analysis.line()[moment]),
      more: ({ number, player }) => [
        h(
          "div",
          { class: "buttons" },
          button(t("review.try"), () => analysis.playFrom(analysis.line()[number], player), { sign: "again" }),
        ),
      ],
    }),
    reader: new RecordReader({ context: () => positions.about, opened: analysis.opened }),
    comment: h("textarea", {
      rows: 2,
      maxlength: LONGEST_COMMENT,
      placeholder: t("analyse.comment.place"),
      input: ({ currentTarget }) => (analysis.now.comment = currentTarget.value),
      change: () => analysis.drawMoves(),
    }),
    status: h("div", { class: "status" }),
    dice: h("div", { class: "dice" }),
    stacks: h("div", { class: "stacks" }),
  };
}

/**
 * Puts the parts on the page.
 *
 * @param {HTMLElement} page
 * @param {Analysis} analysis
 * @param {Node | null} form of the options
 */
export function layOut(page, analysis, form) {
  const { game, drawing, parts } = analysis;
  const isFlat = drawing.view === "flat";
  const turn = (/** @type {number} */ by) => parts.board.setTurn(parts.board.board.turn + by);
  const share = shareFold({
    record: () => analysis.record(),
    moment: () => analysis.positions.line(analysis.now),
    isTurned: () => parts.board.board.turn === 2,
    name: game.name,
  });
  parts.board.place.append(parts.dice);
  page.className = `match analyse ${drawing.view}`;
  page.replaceChildren(
    h("section", { class: "table" }, parts.status, parts.board.place, parts.board.under, parts.steps.bar),
    h(
      "aside",
      { class: "side" },
      h("header", { class: "match-title" }, h("h1", {}, game.title), h("p", { class: "soft" }, t("nav.analyse"))),
      parts.moves.element,
      parts.steps.tools,
      h("label", { class: "field" }, h("span", {}, t("analyse.comment")), parts.comment),
      parts.lines.element,
      parts.known.element,
      h(
        "div",
        { class: "tools" },
        button(t("review.start"), () => analysis.review(), { sign: "values", title: t("review.start.title") }),
        button(t("analyse.against"), () => analysis.playFrom(analysis.now), {
          sign: "again",
          title: t("analyse.against.title"),
        }),
        button(t("editor.title"), () => analysis.edit(), { sign: "grid" }),
        button(t(isFlat ? "do.flip" : "do.turn"), () => turn(isFlat ? 2 : 1), { sign: isFlat ? "flip" : "turn" }),
      ),
      parts.graph.element,
      parts.stacks,
      parts.board.typed,
      toggles(),
      form,
      parts.reader.element,
      share,
      button(t("analyse.anew"), () => analysis.anew(null), { sign: "plus", look: "quiet" }),
    ),
  );
}

/**
 * Shows who is to act or how the game ended, and the die that has just been rolled.
 *
 * @param {Analysis} analysis
 * @param {Moment} state
 */
export function drawStatus({ now, drawing, parts }, state) {
  const [first, ...others] = state.captions;
  const look = drawing.looks[(state.result ? state.result.winner : state.mover) ?? ""];
  parts.status.classList.toggle("over", Boolean(state.result));
  parts.status.replaceChildren(
    ...(look ? [smallPiece(look)] : []),
    h(
      "div",
      {},
      h("p", { class: "now" }, state.result?.sentence ?? first ?? ""),
      h("p", { class: "soft" }, others.join(" · ")),
    ),
  );
  const [points] = rolledPoints(drawing, [now]);
  parts.dice.replaceChildren(...(points ? [die(points, t("dice.shows", { points }))] : []));
}
