/**
 * What a page knows of the chat of a match; without any element.
 *
 * @import { ChatLine, ChatMessage } from "../../../net/wire.d.ts"
 * @typedef {ChatLine["room"]} Room
 */

const MOST = 200; // messages that a page keeps

export class ChatLines {
  /** @type {ChatMessage | null} */
  #whole = null;
  /** @type {ChatLine[]} */
  #lines = [];
  /** @type {Record<Room, number>} messages that nobody has looked at */
  #unread = { players: 0, spectators: 0 };
  #last = 0;
  /** @type {Room | null} */
  #room = null;

  /** Whether there is anything to read or to write in. */
  get isOpen() {
    return Boolean(this.#whole?.rooms.length);
  }

  get whole() {
    return this.#whole;
  }

  get rooms() {
    return this.#whole?.rooms ?? [];
  }

  /** The room that is shown: the one chosen, else the visitor's own. */
  get room() {
    return this.#room && this.rooms.includes(this.#room) ? this.#room : (this.rooms[0] ?? null);
  }

  /** @param {Room} room */
  choose(room) {
    this.#room = room;
  }

  /** The messages of the room that is shown. */
  get lines() {
    return this.#lines.filter((line) => line.room === this.room);
  }

  get unread() {
    return this.rooms.reduce((sum, room) => sum + this.#unread[room], 0);
  }

  /** @param {Room} room */
  unreadIn(room) {
    return this.#unread[room];
  }

  /** Notes that the room that is shown was looked at. */
  look() {
    if (this.room) this.#unread[this.room] = 0;
  }

  /**
   * Takes the whole chat. What is new since the last message that was known is unread; of the first one nothing is.
   *
   * @param {ChatMessage} whole
   */
  renew(whole) {
    const isFirst = !this.#whole;
    const before = this.#last;
    this.#whole = whole;
    this.#lines = [];
    for (const line of whole.lines) this.#keep(line, !isFirst && line.number > before);
  }

  /**
   * Takes a new message; tells whether it was new.
   *
   * @param {ChatLine} line
   */
  add(line) {
    if (this.#lines.some(({ number }) => number === line.number)) return false;
    this.#keep(line, true);
    this.#lines = this.#lines.slice(-MOST);
    return true;
  }

  /** @param {number} number */
  remove(number) {
    this.#lines = this.#lines.filter((line) => line.number !== number);
  }

  /**
   * @param {ChatLine} line
   * @param {boolean} isNew
   */
  #keep(line, isNew) {
    this.#lines.push(line);
    this.#last = Math.max(this.#last, line.number);
    if (isNew && !line.is_mine) this.#unread[line.room] += 1;
  }
}
