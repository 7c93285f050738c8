/**
 * The service worker: without a connection it shows a page that says so. It keeps that page and its files, and nothing
 * else: no answer of the server, nothing of a visitor. The server writes the digest of the program into the addresses
 * below, so that a new version of the program is a new worker with files of its own. It also shows the notices that the
 * server sends while no page is in sight.
 *
 * @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} LastingEvent
 * @typedef {{url: string, visibilityState: string, focus: () => Promise<unknown>}} OpenWindow
 * @typedef {LastingEvent & {data: {json: () => Told} | null}} PushedEvent
 * @typedef {{title: string, body: string, path: string, tag: string, lang: string}} Told
 * @typedef {LastingEvent & {notification: Notification}} ClickedEvent
 * @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchingEvent
 */

/**
 * @typedef {{matchAll: (query: object) => Promise<OpenWindow[]>, openWindow: (url: string) => Promise<unknown>}} Windows
 * @typedef {{skipWaiting: () => Promise<void>, clients: Windows, registration: ServiceWorkerRegistration}} Scope
 */
const worker = /** @type {EventTarget & Scope} */ (/** @type {unknown} */ (self));
const PAGE = "/offline";
const FILES = [
  "/static/offline.js",
  "/static/net/language.js",
  "/static/net/settings.js",
  "/static/net/version.js",
  "/static/styles/palette.css",
  "/static/styles/base.css",
  "/static/styles/settings/offline.css",
  "/static/icon.svg",
];
const CACHE = `offline ${FILES[0]}`;

worker.addEventListener("install", (event) => /** @type {LastingEvent} */ (event).waitUntil(keep()));
worker.addEventListener("activate", (event) => /** @type {LastingEvent} */ (event).waitUntil(forgetOthers()));
worker.addEventListener("push", (event) => {
  const pushed = /** @type {PushedEvent} */ (event);
  pushed.waitUntil(show(pushed));
});
worker.addEventListener("notificationclick", (event) => {
  const clicked = /** @type {ClickedEvent} */ (event);
  clicked.notification.close();
  clicked.waitUntil(follow(String(clicked.notification.data ?? "/")));
});
worker.addEventListener("fetch", (event) => answer(/** @type {FetchingEvent} */ (event)));

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...FILES]);
  await worker.skipWaiting();
}

/** Forgets what earlier versions have kept. */
async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/**
 * Answers for a page without a connection, and for the files of that page; all else goes to the server as ever.
 *
 * @param {FetchingEvent} event
 */
function answer(event) {
  const { request } = event;
  if (request.mode === "navigate" && request.destination === "document")
    event.respondWith(fetch(request).catch(async (error) => (await caches.match(PAGE)) ?? Promise.reject(error)));
  else if (FILES.includes(new URL(request.url).pathname))
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
}

const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/**
 * Shows a notice, unless a page is in sight: that one says it itself.
 *
 * @param {PushedEvent} event
 */
async function show({ data }) {
  if (!data || (await windows()).some(({ visibilityState }) => visibilityState === "visible")) return;
  const { title, body, path, tag, lang } = data.json();
  await worker.registration.showNotification(title, {
    body,
    tag,
    lang,
    data: path,
    icon: "/static/icons/icon-192.png",
  });
}

/**
 * Goes to the page that shows a path, else opens one: what another page shows is not replaced.
 *
 * @param {string} path
 */
async function follow(path) {
  const { origin } = location;
  const url = new URL(path, origin);
  if (url.origin !== origin) return;
  const found = (await windows()).find((each) => new URL(each.url).pathname === url.pathname);
  await (found ? found.focus() : worker.clients.openWindow(url.href));
}
