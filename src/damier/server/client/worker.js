/**
 * The service worker: without a connection it shows a page that says so. It keeps that page and its files, and nothing
 * else: no answer of the server, nothing of a visitor. The server writes the digest of the program into the addresses
 * below, so that a new version of the program is a new worker with files of its own.
 *
 * @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} LastingEvent
 * @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchingEvent
 */

const worker = /** @type {EventTarget & {skipWaiting: () => Promise<void>}} */ (/** @type {unknown} */ (self));
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
