/**
 * The parts of a solution's page about the table: plots of its entries, its file, and how to check it.
 *
 * @import { ChanceSolution, OutcomeSolution } from "../../net/wire.d.ts"
 * @import { Child } from "../../ui/dom-types.d.ts"
 */

import { t } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { duration, number, plies, size, tiny } from "../../ui/format.js";
import { speak } from "../../ui/speak.js";
import { columns, mirrored, numbers, plot } from "./plots.js";

/** @param {OutcomeSolution} solution */
export function distancePlot({ wins, losses }) {
  const keys = [...new Set([...Object.keys(wins), ...Object.keys(losses)])].map(Number).sort((a, b) => a - b);
  const title = (/** @type {number} */ key, /** @type {number} */ count, /** @type {string} */ kind) =>
    `${t(kind === "win" ? "solutions.won" : "solutions.lost")}, ${plies(key)}: ${number(count)}`;
  return plot({
    label: t("solutions.distances.label", { most: plies(keys[keys.length - 1]) }),
    high: 320,
    draw: mirrored(wins, losses, title),
    legend: [
      ["win", t("solutions.won.up")],
      ["loss", t("solutions.lost.down")],
    ],
    head: [t("plot.plies"), t("solutions.won"), t("solutions.lost")],
    rows: keys.map((key) => [String(key), wins[key] ?? "", losses[key] ?? ""]),
  });
}

/** @param {ChanceSolution} solution */
export function chancePlot({ parts }) {
  const names = parts.map((_, i) => `${(100 * i) / parts.length}–${(100 * (i + 1)) / parts.length} %`);
  return plot({
    label: t("solutions.chances.label"),
    draw: columns(parts, names, t("solutions.chances")),
    head: [t("solutions.chances"), t("solutions.entries.short")],
    rows: parts.map((count, i) => [names[i], count]),
  });
}

/**
 * Makes a table of the parts of a solution's table.
 *
 * @param {OutcomeSolution | ChanceSolution} solution
 * @param {Record<string, string>} names of the parts, by their English ones
 */
export function tierTable(solution, names) {
  const isChance = solution.metric === "probability";
  const head = isChance
    ? ["part", "entries.short", "actions", "bound"]
    : ["part", "won", "drawn", "lost", "over", "far"];
  const rows = isChance
    ? solution.tiers.map((tier) => [names[tier.name] ?? tier.name, tier.entries, tier.actions, tiny(tier.error)])
    : solution.tiers.map((tier) => [
        names[tier.name] ?? tier.name,
        tier.won,
        tier.drawn,
        tier.lost,
        tier.over,
        tier.longest || "",
      ]);
  return h(
    "details",
    { class: "numbers" },
    h("summary", {}, t("solutions.tiers")),
    numbers(
      head.map((key) => t(`solutions.${key}`)),
      rows,
      t("solutions.tiers"),
    ),
  );
}

/**
 * Lists the facts about the file.
 *
 * @param {OutcomeSolution | ChanceSolution} solution
 */
export function fileFacts({ table, metric }) {
  /** @type {[string, Child][]} */
  const facts = [
    [
      "file",
      h(
        "span",
        {},
        h("code", {}, table.file),
        ` · ${size(table.bytes)} (${number(table.bytes)} ${t("solutions.bytes")})`,
      ),
    ],
    [
      "entries.short",
      t(table.free ? "solutions.file.entries.free" : "solutions.file.entries", {
        entries: number(table.entries),
        free: number(table.free),
      }),
    ],
    [
      "file.entry",
      h(
        "span",
        {},
        t(metric === "probability" ? "solutions.file.chance" : "solutions.file.plies"),
        " · ",
        h("code", {}, table.coding),
      ),
    ],
    ["file.sum", h("span", { class: "sum" }, h("code", { class: "code" }, table.sha256), copier(table.sha256))],
    [
      "file.build",
      t("solutions.file.needs", {
        time: duration(60 * Math.max(1, table.minutes)),
        memory: size(table.memory),
      }),
    ],
    [
      "file.versions",
      t("solutions.file.versions.text", {
        rules: table.rules,
        numbering: table.numbering,
        format: table.format,
        solver: table.solver,
      }),
    ],
  ];
  return h(
    "dl",
    { class: "file-facts" },
    facts.map(([key, said]) => h("div", {}, h("dt", {}, t(`solutions.${key}`)), h("dd", {}, said))),
  );
}

/** @param {string} text */
function copier(text) {
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    speak(t("solutions.copied"));
    (made.lastElementChild ?? made).textContent = t("solutions.copied");
  };
  /** @type {HTMLButtonElement} */
  const made = button(t("solutions.copy"), copy, { sign: "copy", look: "quiet" });
  return made;
}

/**
 * Lists the commands that build, verify and read a table.
 *
 * @param {OutcomeSolution | ChanceSolution} solution
 */
export function checking(solution) {
  const { commands, verified } = solution;
  const example = solution.metric === "plies" ? solution.longest_wins.lines[0]?.start : undefined;
  const shown = Object.entries({
    solve: commands.solve,
    verify: commands.verify,
    probe: commands.probe,
    ...(example ? { "probe.example": `${commands.probe} --position "${example}"` } : {}),
    sum: "zstd -dc FILE | sha256sum",
    report: commands.report,
  });
  return [
    h("p", {}, t(verified ? "solutions.check.verified" : "solutions.check.unverified")),
    h(
      "dl",
      { class: "commands" },
      shown.map(([key, command]) =>
        h("div", {}, h("dt", {}, h("code", { class: "code" }, command)), h("dd", {}, t(`solutions.check.${key}`))),
      ),
    ),
  ];
}
