/**
 * The course of a rating as a graph: a point after each game, over time.
 *
 * @import { RatingPoint } from "../../net/wire.d.ts"
 */

import { language, t } from "../../net/language.js";
import { h, s } from "../dom.js";

const [WIDE, HIGH] = [300, 90];
const [LEFT, EDGE] = [34, 8]; // room for the values beside the graph, and above and below it
const LEAST_RANGE = 100; // points from bottom to top
const STEPS = [50, 100, 200, 500, 1000]; // between two lines

/**
 * Returns the range of values that a graph shows, and the values at which it has lines: round ones, two to five.
 *
 * @param {readonly number[]} values
 */
export function valueRange(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const more = Math.max(0, LEAST_RANGE - (most - least)) / 2;
  const [low, high] = [least - more, most + more];
  const step = STEPS.find((each) => (high - low) / each <= 4) ?? STEPS[STEPS.length - 1];
  const lines = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) lines.push(value);
  return { low, high, lines };
}

/**
 * Draws the course of a rating.
 *
 * @param {readonly RatingPoint[]} points oldest first
 * @param {string} title what is rated, for screen readers
 */
export function ratingGraph(points, title) {
  const { low, high, lines } = valueRange(points.map(({ value }) => value));
  const times = points.map(({ at }) => Date.parse(at));
  const [begin, end] = [times[0], times[times.length - 1]];
  const x = (/** @type {number} */ time) =>
    LEFT + (end > begin ? (time - begin) / (end - begin) : 1) * (WIDE - LEFT - 4);
  const y = (/** @type {number} */ value) => HIGH - EDGE - ((value - low) / (high - low)) * (HIGH - 2 * EDGE);
  const place = points.map(({ value }, i) => `${x(times[i]).toFixed(1)} ${y(value).toFixed(1)}`);
  const last = points[points.length - 1];
  const best = Math.max(...points.map(({ value }) => value));
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "medium" });
  return h(
    "figure",
    { class: "rating-graph" },
    s(
      "svg",
      {
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        role: "img",
        "aria-label": t("ratings.graph", {
          title,
          first: `${points[0].value}`,
          last: `${last.value}`,
          best: `${best}`,
        }),
      },
      lines.map((value) => [
        s("path", { class: "rating-line", d: `M${LEFT} ${y(value).toFixed(1)}H${WIDE}` }),
        s("text", { x: LEFT - 5, y: (y(value) + 3).toFixed(1) }, String(value)),
      ]),
      s("path", { class: "rating-course", d: `M${place.join("L")}` }),
      s("circle", { class: "rating-now", cx: x(end).toFixed(1), cy: y(last.value).toFixed(1), r: 3 }),
    ),
    h("figcaption", { class: "soft" }, h("span", {}, date.format(begin)), h("span", {}, date.format(end))),
  );
}
