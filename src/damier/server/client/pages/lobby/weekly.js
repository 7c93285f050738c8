/**
 * The weekly hour, in the visitor's zone, with the time until then.
 *
 * @import { WeeklyData } from "../../net/wire.d.ts"
 */

import { language, t } from "../../net/language.js";
import { h } from "../../ui/dom.js";
import { duration } from "../../ui/format.js";

/**
 * Returns how far away the hour is: seconds until it begins, 0 while it lasts.
 *
 * @param {WeeklyData} weekly
 * @param {number} now milliseconds
 */
export function secondsUntil({ start, seconds }, now) {
  const begin = Date.parse(start) / 1000;
  const week = 7 * 24 * 3600;
  let left = begin - now / 1000;
  while (left <= -seconds) left += week;
  return Math.max(0, left);
}

/** @param {WeeklyData | null} weekly */
export function weeklyCard(weekly) {
  if (!weekly) return [];
  const left = secondsUntil(weekly, Date.now());
  const start = new Date(Date.now() + 1000 * left);
  const shown = left ? start : new Date(weekly.start);
  const when = shown.toLocaleString(language(), {
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const days = Math.floor(left / 86_400);
  const until = days ? t("lobby.weekly.days", { count: days }) : duration(left);
  return [
    h(
      "section",
      { class: `panel weekly${left ? "" : " is-now"}` },
      h("h2", {}, t("lobby.weekly")),
      h("p", {}, left ? t("lobby.weekly.when", { when, until }) : t("lobby.weekly.now")),
    ),
  ];
}
