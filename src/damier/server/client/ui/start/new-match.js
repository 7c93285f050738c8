/**
 * What a new match begins with: its players, its seats, and the level of the computer.
 *
 * @import { ClockTerms, GameData, NewMatch } from "../../net/wire.d.ts"
 * @import { OptionValues } from "../../types.d.ts"
 * @typedef {"computer" | "board" | "friend"} Who
 * @typedef {{who: Who, level: number, side: number, options: OptionValues, seats?: string[], allowsHelp: boolean,
 *   clock: ClockTerms | null}} Chosen `side` is mine, -1 any; `seats` are chosen one by one: `me`, `open` or a level;
 *   `allowsHelp` is for other persons, `clock` too
 */

import { setting } from "../../net/settings.js";

/**
 * Returns the level of the computer wherever none is chosen: the last that was, at first the easiest.
 *
 * @param {GameData} game
 */
export const usualLevel = ({ levels }) =>
  levels.find(({ level }) => level === setting("level"))?.level ?? levels[0]?.level ?? 1;

/**
 * Returns the players of a match; an option `players` says how many of those of the game.
 *
 * @param {GameData} game
 * @param {OptionValues} options
 */
export function playersOf(game, options) {
  const declared = game.options.find(({ name }) => name === "players");
  return declared ? game.players.slice(0, Number(options.players ?? declared.default)) : game.players;
}

/**
 * Returns the seats of a match, in the order of the players.
 *
 * @param {GameData} game
 * @param {Omit<Chosen, "allowsHelp" | "clock">} chosen
 * @returns {NewMatch["seats"]}
 */
export function seatsOf(game, { options, who, level, side, seats }) {
  const players = playersOf(game, options);
  if (seats?.length === players.length)
    return seats.map((seat) => (seat === "me" || seat === "open" ? seat : { level: Number(seat) }));
  const mine = side < 0 ? Math.floor(Math.random() * players.length) : Math.min(side, players.length - 1);
  const other = /** @type {const} */ ({ computer: { level }, board: "me", friend: "open" })[who];
  return players.map((_, i) => (i === mine ? "me" : other));
}
