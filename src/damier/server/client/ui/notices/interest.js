/** Whether a guest has anything to be told of, so that only then a connection for notices is opened. */

const KEY = "damier.notices";

/** Whether this browser has matches or wishes that last. */
export function isInterested() {
  try {
    return localStorage.getItem(KEY) === "true";
  } catch {
    return false;
  }
}

/** Notes that there is something to be told of from now on. */
export function noteInterest() {
  try {
    localStorage.setItem(KEY, "true");
  } catch {
    /* storage is forbidden: the pages of an account have notices all the same */
  }
}
