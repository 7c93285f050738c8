/**
 * Plots as SVG drawn at the width of their place, each with its numbers in a table below.
 *
 * @typedef {(width: number, height: number) => Node[]} Draw
 * @typedef {(string | number)[]} Row
 */

import { language, t } from "../../net/language.js";
import { h, s } from "../../ui/dom.js";
import { number } from "../../ui/format.js";

const ROOM = { left: 58, right: 8, top: 8, bottom: 40 };
/** @type {WeakMap<Element, () => void>} by the place of a plot */
const redraws = new WeakMap();
const watcher = new ResizeObserver((entries) => entries.forEach(({ target }) => redraws.get(target)?.()));

/**
 * Makes a plot with a legend, and its numbers folded up.
 *
 * @param {{label: string, high?: number, draw: Draw, legend?: [string, string][], head: string[], rows: Row[]}} about
 */
export function plot({ label, high = 260, draw, legend = [], head, rows }) {
  const svg = s("svg", { role: "img", "aria-label": label, class: "plot" });
  const place = h("div", { class: "plot-place" }, svg);
  redraws.set(place, () => {
    const wide = Math.max(240, Math.round(place.clientWidth));
    if (svg.getAttribute("width") === String(wide)) return;
    for (const [name, value] of Object.entries({ width: wide, height: high, viewBox: `0 0 ${wide} ${high}` }))
      svg.setAttribute(name, String(value));
    svg.replaceChildren(...draw(wide, high));
  });
  watcher.observe(place);
  return h(
    "figure",
    { class: "plot-figure" },
    place,
    legend.length > 0 &&
      h(
        "figcaption",
        { class: "legend" },
        legend.map(([kind, text]) => h("span", { class: `key-of ${kind}` }, text)),
      ),
    h("details", { class: "numbers" }, h("summary", {}, t("plot.numbers")), numbers(head, rows, label)),
  );
}

/**
 * Makes a table whose columns from the second on are numbers.
 *
 * @param {string[]} head
 * @param {Row[]} rows
 * @param {string} label for screen readers
 */
export function numbers(head, rows, label) {
  const cell = (/** @type {"th" | "td"} */ tag) => (/** @type {string | number} */ text, /** @type {number} */ i) =>
    h(
      tag,
      { class: i ? "right" : null, scope: tag === "th" ? "col" : null },
      typeof text === "number" ? number(text, 1) : text,
    );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, head.map(cell("th")))),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, row.map(cell("td")))),
      ),
    ),
  );
}

/**
 * Draws columns on a logarithmic scale: one kind upwards, the other downwards.
 *
 * @param {Record<string, number>} up counts by distance
 * @param {Record<string, number>} down
 * @param {(key: number, count: number, kind: string) => string} titles
 * @returns {Draw}
 */
export function mirrored(up, down, titles) {
  const keys = [...new Set([...Object.keys(up), ...Object.keys(down)])].map(Number);
  const most = Math.max(...keys);
  const decades = (/** @type {Record<string, number>} */ counts) =>
    Math.max(1, Math.ceil(Math.log10(Math.max(1, ...Object.values(counts)) * 1.01)));
  const [above, below] = [decades(up), decades(down)];
  return (width, height) => {
    const [wide, high] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom];
    const unit = high / (above + below);
    const zero = ROOM.top + above * unit;
    const step = wide / most;
    /**
     * @param {number} key
     * @param {number} count
     * @param {"win" | "loss"} kind
     * @param {number} sign 1 upwards
     */
    const column = (key, count, kind, sign) => {
      const tall = Math.max(2, Math.log10(count) * unit + 2);
      return s(
        "rect",
        {
          class: `column ${kind}`,
          x: (ROOM.left + (key - 1) * step + step * 0.12).toFixed(1),
          width: (step * 0.76).toFixed(1),
          y: (sign > 0 ? zero - tall : zero).toFixed(1),
          height: tall.toFixed(1),
        },
        s("title", {}, titles(key, count, kind)),
      );
    };
    const line = (/** @type {number} */ power, /** @type {number} */ sign) => {
      const y = zero - sign * power * unit;
      return [
        s("path", { class: "grid-line", d: `M${ROOM.left} ${y}H${width - ROOM.right}` }),
        text(ROOM.left - 6, y + 4, short(10 ** power), "end"),
      ];
    };
    const lines = (/** @type {number} */ count, /** @type {number} */ sign) =>
      Array.from({ length: count }, (_, i) => i + 1)
        .filter((power) => power % 2 === count % 2 || unit > 26)
        .flatMap((power) => line(power, sign));
    return [
      ...lines(above, 1),
      ...lines(below, -1),
      ...Object.entries(up).map(([key, count]) => column(Number(key), count, "win", 1)),
      ...Object.entries(down).map(([key, count]) => column(Number(key), count, "loss", -1)),
      s("path", { class: "axis", d: `M${ROOM.left} ${zero}H${width - ROOM.right}` }),
      ...ticks(most, wide).map((key) => text(ROOM.left + (key - 0.5) * step, height - ROOM.bottom + 18, String(key))),
      text(ROOM.left + wide / 2, height - 4, t("plot.plies")),
    ];
  };
}

/**
 * Draws columns side by side on a plain scale.
 *
 * @param {number[]} counts
 * @param {string[]} names
 * @param {string} title of the axis
 * @returns {Draw}
 */
export function columns(counts, names, title) {
  const most = Math.max(...counts);
  return (width, height) => {
    const [wide, high] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom];
    const step = wide / counts.length;
    const each = roundStep(most / 4);
    const marks = Array.from({ length: Math.floor(most / each) }, (_, i) => (i + 1) * each);
    const y = (/** @type {number} */ count) => ROOM.top + high * (1 - count / most);
    return [
      ...marks.flatMap((mark) => [
        s("path", { class: "grid-line", d: `M${ROOM.left} ${y(mark)}H${width - ROOM.right}` }),
        text(ROOM.left - 6, y(mark) + 4, short(mark), "end"),
      ]),
      ...counts.map((count, i) =>
        s(
          "rect",
          {
            class: "column win",
            x: ROOM.left + i * step + step * 0.1,
            width: step * 0.8,
            y: y(count),
            height: ROOM.top + high - y(count),
          },
          s("title", {}, `${names[i]}: ${number(count)}`),
        ),
      ),
      s("path", { class: "axis", d: `M${ROOM.left} ${ROOM.top + high}H${width - ROOM.right}` }),
      ...[0, 0.25, 0.5, 0.75, 1].map((part) =>
        text(ROOM.left + wide * part, height - ROOM.bottom + 18, `${100 * part} %`, part === 1 ? "end" : "middle"),
      ),
      text(ROOM.left + wide / 2, height - 4, title),
    ];
  };
}

/**
 * Draws columns of equal height, divided by shares.
 *
 * @param {{name: string, counts: number[]}[]} rows
 * @param {string[]} kinds from below
 * @returns {Draw}
 */
export function shares(rows, kinds) {
  return (width, height) => {
    const [wide, high] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom];
    const step = wide / rows.length;
    const parts = rows.flatMap(({ name, counts }, i) => {
      const whole = counts.reduce((sum, count) => sum + count, 0);
      let y = ROOM.top + high;
      return counts.map((count, kind) => {
        const tall = (high * count) / whole;
        y -= tall;
        return s(
          "rect",
          {
            class: `column part ${kinds[kind]}`,
            x: ROOM.left + i * step + step * 0.08,
            width: step * 0.84,
            y,
            height: tall,
          },
          s("title", {}, `${name}: ${number(count)}`),
        );
      });
    });
    return [
      ...[0, 0.5, 1].flatMap((part) => [
        s("path", { class: "grid-line", d: `M${ROOM.left} ${ROOM.top + high * (1 - part)}H${width - ROOM.right}` }),
        text(ROOM.left - 6, ROOM.top + high * (1 - part) + 4, `${100 * part} %`, "end"),
      ]),
      ...parts,
      ...rows
        .map(({ name }, i) => text(ROOM.left + (i + 0.5) * step, height - ROOM.bottom + 18, name))
        .filter((_, i) => step > 20 || i % 2 === 0),
      text(ROOM.left + wide / 2, height - 4, t("plot.plies.table")),
    ];
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 */
const text = (x, y, content, anchor = "middle") => s("text", { x, y, "text-anchor": anchor }, content);
/** @param {number} count */
const short = (count) =>
  new Intl.NumberFormat(language(), { notation: count < 10_000 ? "standard" : "compact" }).format(count);

/**
 * Returns a round number near another: 1, 2 or 5 with zeros.
 *
 * @param {number} value
 */
function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((times) => times * power >= value * 0.8) ?? 10) * power;
}

/**
 * Returns the numbers to write at an axis that goes from 1 to `most`.
 *
 * @param {number} most
 * @param {number} wide
 */
function ticks(most, wide) {
  const step = [1, 2, 5, 10, 20].find((each) => (most / each) * 30 < wide) ?? 50;
  return Array.from({ length: most }, (_, i) => i + 1).filter((key) => key === 1 || key % step === 0);
}
