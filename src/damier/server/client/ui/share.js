/**
 * Reading and writing records, pictures, and links that carry a whole tree of variations.
 *
 * @import { GameData, RecordData, RecordDraft } from "../net/wire.d.ts"
 * @import { Line, OptionValues } from "../types.d.ts"
 * @typedef {{game: string, options: OptionValues, start: string | null} | {}} Context the game of a bare list of actions
 */

import { post } from "../net/api.js";
import { t } from "../net/language.js";
import { button, h, sentenceOf } from "./dom.js";
import { link } from "./seats.js";

const LONG_LINK = 4000; // characters above which some programs cut a link
const LONGEST_LINK = 100_000;
const LONGEST_TEXT = 400_000;

// Links ------------------------------------------------------------------------------------------------------------------

/**
 * Compresses a text into characters that an address can have.
 *
 * @param {string} text
 */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let i = 0; i < bytes.length; i += 8192) letters += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Returns the text of `pack`; throws a sentence where there is none, or too much.
 *
 * @param {string} packed
 */
export async function unpack(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      if (text.length > LONGEST_TEXT) throw new Error("too long");
    }
    return text + decoder.decode();
  } catch {
    throw new Error(t("share.link.damaged"));
  }
}

// Files ------------------------------------------------------------------------------------------------------------------

/**
 * @param {Blob | string} content
 * @param {string} name
 * @param {string} [type]
 */
function download(content, name, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * Draws an SVG as a PNG of the same size.
 *
 * @param {string} markup
 * @returns {Promise<Blob>}
 */
export async function toPng(markup) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(markup)}`;
  await image.decode();
  const canvas = h("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((made, failed) =>
    canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error("no PNG"))), "image/png"),
  );
}

// The folds --------------------------------------------------------------------------------------------------------------

/** A form that reads a record: pasted, chosen as a file, or dropped. */
export class RecordReader {
  #isChosen = false;

  /**
   * @param {{context: () => Context, opened: (record: RecordData) => void, games?: GameData[]}} about `games` to choose
   *   from for a bare list of actions
   */
  constructor(about) {
    this.about = about;
    this.game = h(
      "select",
      { autocomplete: "off" },
      h("option", { value: "" }, t("share.read.any")),
      (about.games ?? []).map(({ name, title }) => h("option", { value: name }, title)),
    );
    this.text = h("textarea", {
      rows: 5,
      spellcheck: "false",
      class: "code",
      maxlength: LONGEST_TEXT,
      placeholder: t("share.read.place"),
    });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.number = h("div", { class: "which" });
    const file = h("input", {
      type: "file",
      accept: ".txt,.json,.record,text/plain,application/json",
      change: ({ currentTarget }) => this.readFile(currentTarget.files?.[0]),
    });
    this.element = h(
      "details",
      { class: "fold" },
      h("summary", {}, t("share.read")),
      h(
        "div",
        { class: "fold-body" },
        h("p", { class: "soft" }, t("share.read.help")),
        h("label", { class: "field" }, h("span", {}, t("share.read.text")), this.text),
        about.games && h("label", { class: "field" }, h("span", {}, t("share.read.of")), this.game),
        h("label", { class: "field" }, h("span", {}, t("share.read.file")), file),
        this.number,
        this.problem,
        h(
          "div",
          { class: "buttons" },
          button(t("share.read.open"), () => this.read(), { sign: "check" }),
        ),
      ),
    );
  }

  /** @param {File} [file] */
  async readFile(file) {
    if (!file) return;
    this.element.open = true;
    this.text.value = file.size > 4 * LONGEST_TEXT ? "" : await file.text();
    if (!this.text.value) this.problem.textContent = t("share.read.large");
    else await this.read();
  }

  /**
   * Reads files that are dropped on an element, until the returned function is called.
   *
   * @param {HTMLElement} element
   */
  takeFiles(element) {
    const over = (/** @type {DragEvent} */ event) => event.preventDefault();
    const drop = (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      this.readFile(event.dataTransfer?.files[0]);
    };
    element.addEventListener("dragover", over);
    element.addEventListener("drop", drop);
    return () => {
      element.removeEventListener("dragover", over);
      element.removeEventListener("drop", drop);
    };
  }

  /** Reads one of the games in the text; asks which, if there are several. */
  async read(number = 1) {
    this.problem.textContent = "";
    this.number.replaceChildren();
    try {
      const context = this.game.value ? { game: this.game.value } : this.about.context();
      const record = await post("records/read", { ...context, text: this.text.value, number });
      if (record.count > 1 && number === 1 && !this.#isChosen) this.#which(record.count);
      else this.about.opened(record);
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
    }
  }

  /** @param {number} count */
  #which(count) {
    const choices = Array.from({ length: count }, (_, i) =>
      h("option", { value: i + 1 }, t("share.read.game", { number: i + 1 })),
    );
    const select = h("select", { autocomplete: "off" }, choices);
    const go = () => {
      this.#isChosen = true;
      this.read(Number(select.value)).finally(() => (this.#isChosen = false));
    };
    this.number.replaceChildren(
      h("label", { class: "field" }, h("span", {}, t("share.read.several", { count })), select),
      button(t("share.read.this"), go),
    );
  }
}

/**
 * Makes the fold that writes records, pictures and the link.
 *
 * @param {{record: () => RecordDraft, moment: () => Line, isTurned: () => boolean, name: string}} about
 *   `moment`: the line up to the board that is shown
 */
export function shareFold(about) {
  const problem = h("p", { class: "problem", role: "alert" });
  const made = h("div", { class: "made", "aria-live": "polite" });
  const attempt = (/** @type {() => Promise<unknown>} */ act) => async () => {
    problem.textContent = "";
    try {
      await act();
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const write = (/** @type {"text" | "json"} */ format) => post("records/write", { ...about.record(), format });
  const save = (/** @type {"text" | "json"} */ format) =>
    attempt(async () =>
      download((await write(format)).text, `${about.name}.${format === "json" ? "json" : "txt"}`, "text/plain"),
    );
  const showText = attempt(async () => {
    const { text } = await write("text");
    made.replaceChildren(
      h(
        "label",
        { class: "field" },
        h("span", {}, t("share.text")),
        h("textarea", { rows: 8, readonly: true, class: "code" }, text),
      ),
    );
  });
  const showLink = attempt(async () => made.replaceChildren(...linkBox(await pack((await write("text")).text))));
  const draw = async () =>
    (await post("records/picture", { ...about.moment(), theme: theme(), flip: about.isTurned() })).picture;
  const svg = attempt(async () => download(await draw(), `${about.name}.svg`, "image/svg+xml"));
  const png = attempt(async () => download(await toPng(await draw()), `${about.name}.png`));
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, t("share.write")),
    h(
      "div",
      { class: "fold-body" },
      h("h3", {}, t("share.record")),
      h(
        "div",
        { class: "buttons" },
        button(t("share.text.show"), showText),
        button(t("share.text.save"), save("text")),
        button(t("share.json.save"), save("json")),
      ),
      h("h3", {}, t("share.link")),
      h("div", { class: "buttons" }, button(t("share.link.make"), showLink, { sign: "copy" })),
      h("h3", {}, t("share.picture")),
      h(
        "div",
        { class: "buttons" },
        button("SVG", svg, { "aria-label": t("share.picture.svg") }),
        button("PNG", png, { "aria-label": t("share.picture.png") }),
      ),
      made,
      problem,
    ),
  );
}

/** @param {string} packed */
function linkBox(packed) {
  const address = `${location.origin}/analyse#r=${packed}`;
  if (address.length > LONGEST_LINK) throw new Error(t("share.link.too_long"));
  const note = address.length > LONG_LINK ? t("share.link.long", { count: address.length }) : t("share.link.help");
  return [link(t("share.link.label"), address), h("p", { class: "soft" }, note)];
}

function theme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
