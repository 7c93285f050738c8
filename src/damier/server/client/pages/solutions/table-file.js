/** The parts of a solution's page about the table: plots of its entries, its file, and how to check it. */

import { t, tOr } from "../../net/language.js";
import { button, h } from "../../ui/dom.js";
import { number, plies, size, tiny } from "../../ui/format.js";
import { speak } from "../../ui/speak.js";
import { columns, mirrored, numbers, plot } from "./plots.js";

export function distancePlot({ wins, losses }) {
  const keys = [...new Set([...Object.keys(wins), ...Object.keys(losses)])].map(Number).sort((a, b) => a - b);
  const title = (key, count, kind) =>
    `${t(kind === "win" ? "solutions.won" : "solutions.lost")}, ${plies(key)}: ${number(count)}`;
  return plot({
    label: t("solutions.distances.label", { most: plies(keys.at(-1)) }),
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

export function chancePlot({ parts }) {
  const names = parts.map((_, i) => `${(100 * i) / parts.length}–${(100 * (i + 1)) / parts.length} %`);
  return plot({
    label: t("solutions.chances.label"),
    draw: columns(parts, names, t("solutions.chances")),
    head: [t("solutions.chances"), t("solutions.entries.short")],
    rows: parts.map((count, i) => [names[i], count]),
  });
}

/** The parts of the table, with what is in each. */
export function tierTable({ tiers, parts }) {
  const name = (tier) => {
    const found = tier.name.match(/\d+/g) ?? [];
    return Object.entries(found).reduce(
      (text, [i, value]) => text.replace(`{${i}}`, value),
      tOr(`tier.${tier.name.replace(/\d+/g, "#")}`, tier.name),
    );
  };
  const head = parts ? ["part", "entries.short", "actions", "bound"] : ["part", "won", "drawn", "lost", "over", "far"];
  const rows = parts
    ? tiers.map((tier) => [name(tier), tier.entries, tier.actions, tiny(tier.error)])
    : tiers.map((tier) => [name(tier), tier.won, tier.drawn, tier.lost, tier.over, tier.longest || ""]);
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

/** What there is to know of the file. */
export function fileFacts({ table, metric }) {
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
        minutes: number(Math.max(1, Math.round(table.minutes))),
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

function copier(text) {
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    speak(t("solutions.copied"));
    made.lastChild.textContent = t("solutions.copied");
  };
  const made = button(t("solutions.copy"), copy, { sign: "copy", look: "quiet" });
  return made;
}

/** The commands that build, verify and look things up. */
export function checking({ commands, longest_wins: longest, verified }) {
  const example = longest?.lines[0]?.start;
  const shown = [
    ["solve", commands.solve],
    ["verify", commands.verify],
    ["probe", commands.probe],
    ...(example ? [["probe.example", `${commands.probe} --position "${example}"`]] : []),
    ["sum", "zstd -dc FILE | sha256sum"],
    ["report", commands.report],
  ];
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
