/**
 * One report, with what was said and what a moderator can do.
 *
 * @import { ModerationAct, ModerationData, ReportData, ReportedLine } from "../../net/wire.d.ts"
 */

import { post } from "../../net/api.js";
import { language, t } from "../../net/language.js";
import { button, h, sentenceOf } from "../../ui/dom.js";

const LONGEST_WHY = 300; // characters
const BANS = /** @type {const} */ ([7, 30, 365, null]); // days; null is for good

/**
 * @param {ReportData} report
 * @param {(data: ModerationData) => void} renew shows the page anew
 */
export function reportCard(report, renew) {
  const problem = h("p", { class: "problem", role: "alert" });
  const why = h("input", { type: "text", name: "why", maxlength: LONGEST_WHY, autocomplete: "off" });
  const act = async (/** @type {Omit<ModerationAct, "why">} */ asked) => {
    problem.textContent = "";
    try {
      renew(await post(`moderation/reports/${report.number}/acts`, { ...asked, why: why.value }));
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  return h(
    "article",
    { class: "panel report", "aria-label": t("moderation.report", { name: report.name }) },
    head(report),
    report.words && h("blockquote", { dir: "auto" }, report.words),
    lines(report, act),
    report.done.length > 0 &&
      h(
        "p",
        { class: "soft" },
        t("moderation.done", { acts: report.done.map((each) => t(`moderation.did.${each}`)).join(", ") }),
      ),
    report.is_protected
      ? h("p", {}, t("moderation.protected"))
      : [h("label", { class: "field" }, h("span", {}, t("moderation.why")), why), buttons(report, act)],
    problem,
  );
}

/** @param {ReportData} report */
function head(report) {
  const { account, now, name, match } = report;
  const reporter = report.reporter ?? t("moderation.gone");
  return h(
    "header",
    {},
    h("h3", {}, t("moderation.report", { name })),
    h(
      "p",
      { class: "soft" },
      [moment(report.created), t("moderation.by", { name: reporter }), t(`report.${report.reason}`)].join(" · "),
    ),
    h(
      "p",
      {},
      account ? h("a", { href: `/u/${encodeURIComponent(account)}` }, account) : t("moderation.guest", { name: now }),
      match && [" · ", h("a", { href: `/m/${match}` }, t("moderation.match"))],
    ),
    name !== now && h("p", { class: "soft" }, t("moderation.renamed", { name: now })),
    report.silent_until && h("p", {}, t("moderation.silent", { time: moment(report.silent_until) })),
    report.banned_until && h("p", {}, t("moderation.banned", { time: moment(report.banned_until) })),
  );
}

/**
 * @param {ReportData} report
 * @param {(asked: Omit<ModerationAct, "why">) => void} act
 */
function lines(report, act) {
  if (!report.lines.length) return h("p", { class: "soft" }, t("moderation.silence"));
  const canRemove = (/** @type {ReportedLine} */ line) => line.is_theirs && !report.is_protected;
  return h(
    "ol",
    { class: "quoted", "aria-label": t("chat.messages") },
    report.lines.map((line) =>
      h(
        "li",
        { class: line.is_theirs ? "theirs" : null },
        h("b", {}, line.name),
        " ",
        h("span", { dir: "auto" }, line.text),
        " ",
        h("span", { class: "soft" }, `${t(`chat.room.${line.room}`)}, ${moment(line.at)}`),
        canRemove(line) &&
          button(t("moderation.remove"), () => act({ do: "remove", line: line.number }), {
            "aria-label": `${t("moderation.remove")}: ${line.text}`,
          }),
      ),
    ),
  );
}

/**
 * @param {ReportData} report
 * @param {(asked: Omit<ModerationAct, "why">) => void} act
 */
function buttons(report, act) {
  const name = h("input", { type: "text", name: "name", maxlength: 20, autocomplete: "off" });
  const days = h(
    "select",
    { name: "days", autocomplete: "off" },
    BANS.map((count) => h("option", {}, count === null ? t("moderation.for_good") : t("moderation.days", { count }))),
  );
  return [
    h(
      "div",
      { class: "buttons" },
      button(t(report.done.length ? "moderation.close" : "moderation.dismiss"), () => act({ do: "dismiss" })),
      button(t("moderation.silence.15"), () => act({ do: "silence", minutes: 15 })),
      button(t("moderation.silence.day"), () => act({ do: "silence", minutes: 1440 })),
    ),
    h(
      "div",
      { class: "report-more" },
      h("label", { class: "field" }, h("span", {}, t("moderation.name")), name),
      button(t("moderation.rename"), () => act({ do: "rename", name: name.value })),
      report.account && h("label", { class: "field" }, h("span", {}, t("moderation.ban.for")), days),
      report.account && button(t("moderation.ban"), () => act({ do: "ban", days: BANS[days.selectedIndex] })),
    ),
  ];
}

/**
 * Returns a time in the visitor's language and zone.
 *
 * @param {string} time
 */
export const moment = (time) =>
  time.startsWith("9999")
    ? t("moderation.for_good")
    : new Date(time).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
