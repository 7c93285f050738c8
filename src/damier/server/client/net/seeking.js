/** Whether this tab of the browser seeks a live game, so that a page that is loaded again keeps the seek. */

const KEY = "damier-seeks";

/** Whether the tab was seeking when it was last loaded. */
export function wasSeeking() {
  try {
    return sessionStorage.getItem(KEY) === "yes";
  } catch {
    return false;
  }
}

/** @param {boolean} isSeeking */
export function noteSeeking(isSeeking) {
  try {
    if (isSeeking) sessionStorage.setItem(KEY, "yes");
    else sessionStorage.removeItem(KEY);
  } catch {
    /* storage is forbidden: a reload then ends the seek */
  }
}
