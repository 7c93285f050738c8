/**
 * The chat beside a match: the messages of one room, phrases as buttons, and a line to write in.
 *
 * @import { ChatLine, ChatMessage, SaidMessage, UnsaidMessage } from "../../../net/wire.d.ts"
 * @typedef {{room: ChatLine["room"], phrase?: string, text?: string}} Saying
 */

import { language, t } from "../../../net/language.js";
import { setting } from "../../../net/settings.js";
import { button, h, sentenceOf } from "../../../ui/dom.js";
import { personDialog } from "../../../ui/people/person-dialog.js";
import { speak } from "../../../ui/speak.js";
import { ChatLines } from "./chat-lines.js";

const LONGEST = 200; // characters of a message, as the server counts them

export class ChatPanel {
  chat = new ChatLines();

  /**
   * @param {{number: string, say: (saying: Saying) => Promise<unknown>, isShown: () => boolean,
   *   changed: (isOpen: boolean, unread: number) => void}} about `isShown`: whether the panel is seen now; `changed` is
   *   called when there is something new to show outside of it
   */
  constructor({ number, say, isShown, changed }) {
    this.number = number;
    this.say = say;
    this.isShown = isShown;
    this.changed = changed;
    this.note = h("p", { class: "soft chat-note" });
    this.rooms = h("div", { class: "chat-rooms", role: "group", "aria-label": t("chat.rooms") });
    this.lines = h("div", { class: "chat-lines", role: "log", "aria-label": t("chat.messages"), tabindex: "0" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.phrases = h("div", { class: "chat-phrases", role: "group", "aria-label": t("chat.phrases") });
    this.input = h("input", {
      type: "text",
      name: "message",
      maxlength: LONGEST,
      autocomplete: "off",
      "aria-label": t("chat.write"),
      placeholder: t("chat.write"),
    });
    this.form = h(
      "form",
      { class: "chat-form", submit: (event) => this.#write(event) },
      this.input,
      h("button", { type: "submit" }, t("chat.send")),
    );
    this.guest = h("p", { class: "soft" }, h("a", { href: "/account" }, t("chat.guest")));
    this.element = h(
      "div",
      { class: "chat" },
      this.rooms,
      this.lines,
      this.problem,
      this.phrases,
      this.form,
      this.guest,
    );
  }

  /** @param {ChatMessage | SaidMessage | UnsaidMessage} message */
  hear(message) {
    if (message.type === "chat") {
      this.chat.renew(message);
      this.draw();
    } else if (message.type === "said") {
      if (this.chat.add(message.line)) this.#arrived(message.line);
    } else {
      this.chat.remove(message.number);
      this.lines.querySelector(`[data-number="${message.number}"]`)?.remove();
    }
    this.looked();
  }

  /** Notes that the panel was looked at, if it is seen, and tells how much is unread. */
  looked() {
    if (this.isShown()) this.chat.look();
    this.#drawRooms();
    this.changed(this.chat.isOpen && setting("chat"), this.chat.unread);
  }

  /** Draws all of the room that is shown. */
  draw() {
    const { chat } = this;
    const { whole, room } = chat;
    if (!whole || !room) return;
    const isApart = chat.rooms.length === 1;
    this.note.textContent = t(isApart ? `chat.note.${room}` : "chat.note.over");
    this.lines.replaceChildren(this.note, ...chat.lines.map((line) => this.#line(line)));
    this.#toEnd();
    const until = whole.silent_until;
    const isSilent = until !== null && new Date(until) > new Date();
    this.problem.textContent = isSilent ? t("chat.silent", { time: moment(until) }) : "";
    this.phrases.hidden = isSilent;
    this.phrases.replaceChildren(
      ...whole.phrases.map(({ key, text }) => button(text, () => this.#send({ phrase: key }))),
    );
    this.form.hidden = isSilent || !whole.may_write_text;
    this.guest.hidden = whole.may_write_text;
  }

  /** Draws the choice of rooms, where there is one. */
  #drawRooms() {
    const { chat } = this;
    this.rooms.hidden = chat.rooms.length < 2;
    const focus = this.rooms.contains(document.activeElement);
    this.rooms.replaceChildren(
      ...chat.rooms.map((room) => {
        const unread = chat.unreadIn(room);
        const made = button(t(`chat.room.${room}`), () => this.#choose(room), {
          "aria-pressed": String(room === chat.room),
        });
        if (unread) made.append(unreadMark(unread));
        return made;
      }),
    );
    if (focus) /** @type {HTMLElement | null} */ (this.rooms.querySelector('[aria-pressed="true"]'))?.focus();
  }

  /** @param {ChatLine["room"]} room */
  #choose(room) {
    this.chat.choose(room);
    this.draw();
    this.looked();
  }

  /** @param {ChatLine} line */
  #arrived(line) {
    if (line.room === this.chat.room) {
      this.lines.append(this.#line(line));
      this.#toEnd();
    }
    const isHeard = this.isShown() && line.room === this.chat.room; // by the log itself
    if (!isHeard && !line.is_mine && setting("chat")) speak(t("chat.said", { name: line.name, text: line.text }));
  }

  #toEnd() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {ChatLine} line */
  #line(line) {
    const about = {
      name: line.name,
      account: line.account,
      who: { match: this.number, line: line.number },
    };
    const name = line.is_mine
      ? h("b", {}, line.name)
      : h(
          "button",
          {
            type: "button",
            class: "plain chat-name",
            "aria-haspopup": "dialog",
            title: t("person.more", { name: line.name }),
            click: () => personDialog(about),
          },
          line.name,
        );
    return h(
      "p",
      { "data-number": line.number, class: line.is_mine ? "mine" : null, title: moment(line.at) },
      name,
      " ",
      h("span", { class: "chat-text", dir: "auto" }, line.text),
    );
  }

  /** @param {SubmitEvent} event */
  async #write(event) {
    event.preventDefault();
    const text = this.input.value;
    if (text.trim() && (await this.#send({ text }))) this.input.value = "";
  }

  /**
   * Sends a message; returns whether it was accepted.
   *
   * @param {{phrase?: string, text?: string}} saying
   */
  async #send(saying) {
    const { room } = this.chat;
    if (!room) return false;
    this.problem.textContent = "";
    try {
      await this.say({ room, ...saying });
      return true;
    } catch (error) {
      this.problem.textContent = sentenceOf(error);
      return false;
    }
  }
}

/**
 * Makes the mark of unread messages.
 *
 * @param {number} count
 */
export const unreadMark = (count) =>
  h(
    "span",
    { class: "unread" },
    h("span", { "aria-hidden": "true" }, String(count)),
    h("span", { class: "unseen" }, ` ${t("chat.unread", { count })}`),
  );

/** @param {string} time */
const moment = (time) =>
  new Date(time).toLocaleString(language(), {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
