/**
 * The parts of an analysis and their places on the page.
 *
 * @import { Moment } from "../../types.d.ts"
 * @import { Analysis } from "./analysis.js"
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

import { smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { post } from "../../net/api.js";
import { t } from "../../net/language.js";
import { ChanceGraph } from "../../ui/chance-graph.js";
import { toggles } from "../../ui/controls.js";
import { button, h } from "../../ui/dom.js";
import { KnownValues } from "../../ui/values/known-values.js";
import { RecordReader, shareFold } from "../../ui/share.js";
import { Tabs } from "../../ui/tabs.js";
import { BestArrows } from "./best-arrows.js";
import { EngineLines } from "./engine-lines.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { MoveList } from "./move-list.js";
import { reviewLine } from "./review.js";
import { stepButtons } from "./steps.js";
import { endOf } from "./tree.js";

const LONGEST_COMMENT = 4000;

/** @param {Analysis} analysis */
export function makeParts(analysis) {
  const { game, drawing, positions } = analysis;
  const board = new PlayBoard(drawing, {
    title: game.title,
    of: positions.about,
    play: ({ action }) => analysis.play(action),
    why: (what) => post("lines/why", { ...positions.line(analysis.now), ...what }),
    refuse: () => analysis.refuse(),
    tap: (cell) => analysis.tapEarly(cell),
    more: () => analysis.underBoard(),
  });
  const arrows = new BestArrows(board.board);
  return {
    board,
    arrows,
    bar: new EvaluationBar(analysis.players),
    moves: new MoveList(drawing, (node) => analysis.goTo(node)),
    steps: stepButtons(analysis.acts),
    lines: new EngineLines(drawing, {
      play: (actions) => analysis.playLine(actions),
      turnedOn: () => analysis.settle(),
      found: (lines) => arrows.show(lines),
      point: (number) => arrows.point(number),
      arrows: (isOn) => arrows.turnOn(isOn),
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
      drawn: () => analysis.drawReview(),
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
    stacks: h("div", { class: "stacks" }),
    review: h("div", { class: "course reviewed" }),
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
  const share = shareFold({
    record: () => analysis.record(),
    moment: () => analysis.positions.line(analysis.now),
    isTurned: () => parts.board.board.turn === 2,
    name: game.name,
  });
  parts.board.place.append(parts.arrows.element);
  const tabs = new Tabs(
    [
      { name: "moves", title: t("tab.moves"), content: movesTab(analysis) },
      { name: "review", title: t("tab.review"), content: reviewTab(analysis) },
      { name: "edit", title: t("tab.edit"), content: editTab(analysis, form) },
      { name: "save", title: t("tab.save"), content: [parts.reader.element, share] },
    ],
    { label: t("analyse.tabs") },
  );
  page.className = `match analyse ${drawing.view}`;
  page.replaceChildren(
    h(
      "section",
      { class: "table" },
      parts.status,
      h("div", { class: "with-bar" }, parts.bar.element, parts.board.place),
      parts.board.under,
      parts.steps.bar,
      parts.graph.element,
    ),
    h(
      "aside",
      { class: "side" },
      h("header", { class: "match-title" }, h("h1", {}, game.title), h("p", { class: "soft" }, t("nav.analyse"))),
      tabs.element,
    ),
  );
}

/** @param {Analysis} analysis */
function movesTab(analysis) {
  const { parts, drawing } = analysis;
  const isFlat = drawing.view === "flat";
  return [
    parts.lines.element,
    parts.moves.element,
    parts.steps.tools,
    h("label", { class: "field" }, h("span", {}, t("analyse.comment")), parts.comment),
    parts.known.element,
    parts.stacks,
    parts.board.typed,
    toggles(),
    h(
      "div",
      { class: "tools" },
      button(t(isFlat ? "do.flip" : "do.turn"), () => analysis.turn(isFlat ? 2 : 1), {
        sign: isFlat ? "flip" : "turn",
      }),
    ),
  ];
}

/** @param {Analysis} analysis */
const reviewTab = (analysis) => [
  h("p", { class: "soft" }, t("review.start.title")),
  h(
    "div",
    { class: "tools" },
    button(t("review.start"), () => reviewLine(analysis), { sign: "values", look: "main" }),
    button(t("analyse.against"), () => analysis.playFrom(analysis.now), {
      sign: "again",
      title: t("analyse.against.title"),
    }),
  ),
  analysis.parts.review,
];

/**
 * @param {Analysis} analysis
 * @param {Node | null} form
 */
const editTab = (analysis, form) => [
  h(
    "div",
    { class: "tools" },
    button(t("editor.title"), () => analysis.edit(), { sign: "grid" }),
    button(t("analyse.anew"), () => analysis.anew(null), { sign: "plus" }),
  ),
  form,
];

/**
 * Shows who is to act or how the game ended.
 *
 * @param {Analysis} analysis
 * @param {Moment} state
 */
export function drawStatus({ drawing, parts }, state) {
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
}
