/** What the client's modules need of a browser page; import it before them. */

const listeners = new EventTarget();

/** Keeps values as localStorage does. */
export class MemoryStorage {
  #values = new Map();

  getItem(name) {
    return this.#values.get(name) ?? null;
  }

  setItem(name, value) {
    this.#values.set(name, String(value));
  }
}

const page = {
  navigator: { languages: ["en-GB"] },
  localStorage: new MemoryStorage(),
  location: { protocol: "http:", host: "localhost", origin: "http://localhost" },
  document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
  addEventListener: listeners.addEventListener.bind(listeners),
  removeEventListener: listeners.removeEventListener.bind(listeners),
  dispatchEvent: listeners.dispatchEvent.bind(listeners),
};
for (const [name, value] of Object.entries(page))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Resolves when all that waits for promises has gone on; timers may be mocked. */
export const answered = () => new Promise((resolve) => setImmediate(resolve));

/** A socket without a network: a test opens and closes it, and reads what was sent. */
export class FakeSocket {
  readyState = 0;
  sent = [];

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code = 1006, reason = "") {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  open() {
    this.readyState = 1;
    this.onopen?.();
  }

  receive(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** Returns a function that opens fake sockets, and the list of those that it has opened. */
export function fakeNetwork() {
  const sockets = [];
  const paths = [];
  const open = (path) => {
    paths.push(path);
    sockets.push(new FakeSocket());
    return sockets.at(-1);
  };
  return { open, sockets, paths };
}
