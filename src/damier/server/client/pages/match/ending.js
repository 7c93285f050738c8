/**
 * The end of a game: who won in the words of the reader, and the course of the game with its turning points.
 *
 * @import { MatchSnapshot, ResultData, ReviewStart, ReviewStep } from "../../net/wire.d.ts"
 * @typedef {{steps: readonly (ReviewStart | ReviewStep)[], isWhole: boolean, mistakes: readonly ReviewStep[],
 *   count: number,
 *   players: readonly {player: string, name: string}[], me: number, roundOf: (moment: number) => number,
 *   goTo: (moment: number) => void}} Course `me`: the place of the player from whose side it is drawn
 */

import { t } from "../../net/language.js";
import { h, s } from "../../ui/dom.js";
import { percent } from "../../ui/format.js";

const [WIDE, HIGH] = [360, 104];
const [EDGE, MARGIN] = [4, 18]; // beside the line, and above and below it, for the names of actions
const MOST_MARKED = 2;

/**
 * Says how a game ended: in the second person to one who played one side, else in the third.
 *
 * @param {ResultData} result
 * @param {Pick<MatchSnapshot, "seats">} snapshot
 */
export function endTitle(result, { seats }) {
  const mine = seats.filter((seat) => seat.is_mine);
  if (mine.length !== 1 || !result.words) return result.sentence;
  const how = result.winner === null ? "draw" : result.winner === mine[0].player ? "win" : "loss";
  return t(`end.${how}`, { words: result.words });
}

/**
 * Says what made the end, and after how many rounds.
 *
 * @param {ResultData} result
 * @param {number} count of rounds
 */
export function endDetails({ details }, count) {
  const told = details?.replace(/\.$/, "");
  return told ? t("end.details", { details: told, count }) : t("end.turns", { count });
}

/**
 * Draws the course of the game: the chance of one player from below, with the biggest mistakes; with more than two
 * players a line for each.
 *
 * @param {Course} course
 */
export function courseFigure({ steps, isWhole, mistakes, count, players, me, roundOf, goTo }) {
  const x = (/** @type {number} */ i) => EDGE + (i / Math.max(1, count)) * (WIDE - 2 * EDGE);
  const y = (/** @type {number} */ chance) => HIGH - MARGIN - chance * (HIGH - 2 * MARGIN);
  const line = (/** @type {number} */ place) =>
    steps.map(({ chances }, i) => `${x(i).toFixed(1)} ${y(chances[place]).toFixed(1)}`).join("L");
  const drawnFor = players.length === 2 ? [me] : players.map((_, i) => i);
  const marked = mistakes.slice(0, MOST_MARKED).map((step) => {
    const place = players.length === 2 ? me : players.findIndex(({ player }) => player === step.player);
    return { step, at: /** @type {const} */ ([x(step.number + 1), y(step.chances[place])]) };
  });
  const label = (/** @type {ReviewStep} */ step) => `${roundOf(step.number + 1)}. ${step.action} ?`;
  const now = steps.at(-1)?.chances[me];
  const turning = mistakes.slice(0, MOST_MARKED).map((step) => t("end.mistake", { action: label(step) }));
  return h(
    "figure",
    { class: "end-course" },
    s(
      "svg",
      {
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        role: "img",
        "aria-label": [
          t("course.label", { player: players[me].name, share: now === undefined ? "?" : percent(now, 0) }),
          ...turning,
        ].join(" "),
      },
      s("path", { class: "course-even", d: `M${EDGE} ${HIGH / 2}H${WIDE - EDGE}` }),
      steps.length > 1 &&
        drawnFor.map((place) => s("path", { class: `course-line line-${place}`, d: `M${line(place)}` })),
      !isWhole &&
        s(
          "text",
          { class: "waits", x: EDGE, y: 12 },
          t("course.wait", { done: Math.max(steps.length - 1, 0), all: count }),
        ),
      marked.map(({ step, at: [cx, cy] }) =>
        s(
          "g",
          { class: "turning", click: () => goTo(step.number + 1) },
          s("circle", { cx, cy, r: 4.5 }),
          s("text", { x: Math.min(Math.max(cx, 46), WIDE - 46), y: cy > HIGH / 2 ? cy + 16 : cy - 9 }, label(step)),
        ),
      ),
    ),
    players.length > 2 &&
      h(
        "figcaption",
        { class: "soft" },
        players.map(({ name }, i) => h("span", { class: `key key-${i}` }, name, " ")),
      ),
  );
}
