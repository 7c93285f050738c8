/** When a vacation ends. */

import { language } from "../../../net/language.js";

/**
 * Returns the day and the time that come after some milliseconds.
 *
 * @param {number} milliseconds
 */
export const endDay = (milliseconds) =>
  new Date(Date.now() + milliseconds).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
