/**
 * The moderators' page: the reports that wait, and what was done.
 *
 * @import { LogEntry, ModerationData } from "../../net/wire.d.ts"
 * @import { OpenPage } from "../../types.d.ts"
 */

import { get } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, styles } from "../../ui/dom.js";
import { moment, reportCard } from "./report-card.js";

/** @type {OpenPage} */
export async function open(page) {
  const [data] = await Promise.all([get("moderation"), styles("online/account"), styles("online/moderation")]);
  document.title = `${t("moderation.title")} · damier`;
  page.className = "account-page moderation-page";
  draw(page, data);
}

/**
 * @param {HTMLElement} page
 * @param {ModerationData} data
 */
function draw(page, { waiting, reports, log }) {
  page.replaceChildren(
    h("header", {}, h("h1", {}, t("moderation.title")), h("p", { class: "soft" }, t("moderation.intro"))),
    h(
      "section",
      { "aria-label": t("moderation.queue"), class: "reports" },
      h("h2", {}, t("moderation.queue")),
      h("p", { role: "status" }, waiting ? t("moderation.waiting", { count: waiting }) : t("moderation.none")),
      reports.map((report) => reportCard(report, (next) => draw(page, next))),
    ),
    h(
      "section",
      { class: "panel", "aria-label": t("moderation.log") },
      h("h2", {}, t("moderation.log")),
      log.length ? logTable(log) : h("p", { class: "soft" }, t("moderation.log.none")),
    ),
  );
}

const COLUMNS = /** @type {const} */ (["at", "moderator", "name", "what", "why"]);

/** @param {LogEntry[]} log */
const logTable = (log) =>
  h(
    "div",
    { class: "log", tabindex: "0", role: "region", "aria-label": t("moderation.log") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          COLUMNS.map((column) => h("th", { scope: "col" }, t(`moderation.log.${column}`))),
        ),
      ),
      h(
        "tbody",
        {},
        log.map((entry) =>
          h(
            "tr",
            {},
            h("td", {}, moment(entry.at)),
            h("td", {}, entry.moderator),
            h("td", {}, entry.name),
            h("td", { dir: "auto" }, whatText(entry)),
            h("td", { dir: "auto" }, entry.why),
          ),
        ),
      ),
    ),
  );

/** @param {LogEntry} entry */
function whatText({ what, detail }) {
  const isTime = what === "silence" || what === "ban";
  const said = !detail ? "" : !isTime ? detail : detail.startsWith("9999") ? t("moderation.for_good") : moment(detail);
  return said ? `${t(`moderation.did.${what}`)}: ${said}` : t(`moderation.did.${what}`);
}
