/**
 * Web Push in this browser: whether it can, and switching it on and off.
 *
 * @import { NoticeOptions } from "../../net/wire.d.ts"
 */

import { remove, send } from "../../net/api.js";

/** Whether this browser can show notices while no page is open; only pages over HTTPS, or of this machine, can. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Whether the visitor has forbidden it in the browser. */
export const isForbidden = () => Notification.permission === "denied";

const registration = () => navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);

/**
 * The number by which the server knows a browser.
 *
 * @param {string} endpoint
 */
export async function numberOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, 32);
}

/**
 * The number of this browser, if it gets the visitor's notices.
 *
 * @param {NoticeOptions} options
 */
export async function ownNumber({ browsers }) {
  const found = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  const number = found ? await numberOf(found.endpoint) : "";
  return browsers.some((each) => each.number === number) ? number : "";
}

/**
 * Asks the visitor, subscribes this browser and tells the server. Must be called from a click.
 *
 * @param {string} key of the server
 */
export async function switchOn(key) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await registration();
  const old = await pushManager.getSubscription();
  if (old && !isOf(old, key)) await old.unsubscribe(); // of another key
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await send("notices/push", { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } });
  return true;
}

/**
 * @param {PushSubscription} subscription
 * @param {string} key
 */
function isOf(subscription, key) {
  const used = subscription.options?.applicationServerKey;
  return (
    !used ||
    btoa(String.fromCharCode(...new Uint8Array(used)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "") === key
  );
}

/** @param {string} number of this browser */
export async function switchOff(number) {
  await remove(`notices/push/${number}`);
  const found = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  if (found && (await numberOf(found.endpoint)) === number) await found.unsubscribe();
}
