/**
 * The fields of the options that a game declares: numbers, choices in words, and cells that are clicked on a small board.
 *
 * @import { CellsOption, GameData } from "../../net/wire.d.ts"
 * @import { OptionData, OptionValues } from "../../types.d.ts"
 */

import { Board } from "../../board/board.js";
import { drawing } from "../../net/api.js";
import { t } from "../../net/language.js";
import { h, sentenceOf } from "../dom.js";

/**
 * Makes the fields; what differs from the defaults goes into `chosen.options`.
 *
 * @param {GameData} game
 * @param {{options: OptionValues}} chosen
 * @param {() => void} redraw called after a change
 */
export function optionFields(game, chosen, redraw) {
  if (!game.options.length) return null;
  const places = new Map(game.options.map((option) => [option, h("div", { class: "option" })]));
  const valueOf = (/** @type {string} */ name) =>
    String(chosen.options[name] ?? game.options.find((option) => option.name === name)?.default);
  const isUsed = (/** @type {OptionData} */ option) =>
    option.type !== "cells" || Object.entries(option.needs).every(([name, value]) => valueOf(name) === value);
  const set = (/** @type {OptionData} */ option, /** @type {string} */ value) => {
    if (value === String(option.default)) delete chosen.options[option.name];
    else chosen.options[option.name] = option.type === "integer" ? Number(value) : value;
    renewCells();
    redraw();
  };
  const renewCells = () => {
    for (const [option, place] of places) {
      if (option.type !== "cells" || isUsed(option) === Boolean(place.firstChild)) continue;
      if (!isUsed(option)) delete chosen.options[option.name];
      place.replaceChildren(
        ...(isUsed(option) ? [cellsField(game, option, chosen, (value) => set(option, value))] : []),
      );
    }
  };
  for (const [option, place] of places)
    if (option.type !== "cells") place.append(plainField(option, (value) => set(option, value)));
  renewCells();
  return h(
    "details",
    { class: "options", open: game.options.some(({ name }) => name === "players") },
    h("summary", {}, t("start.options")),
    [...places.values()],
  );
}

/**
 * @param {Exclude<OptionData, CellsOption>} option
 * @param {(value: string) => void} change
 */
function plainField(option, change) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, option.title),
    optionInput(option, change),
    h("small", {}, option.help),
  );
}

/**
 * @param {Exclude<OptionData, CellsOption>} option
 * @param {(value: string) => void} change
 */
function optionInput(option, change) {
  const changed = (/** @type {{currentTarget: HTMLInputElement | HTMLSelectElement}} */ { currentTarget }) => {
    if (currentTarget.reportValidity()) change(currentTarget.value);
  };
  const choices = option.type === "choice" ? option.choices : Object.keys(option.names);
  if (choices.length)
    return h(
      "select",
      { name: option.name, change: changed },
      choices.map((choice) =>
        h("option", { value: choice, selected: choice === String(option.default) }, option.names[choice] ?? choice),
      ),
    );
  const range = option.type === "integer" ? { min: option.low, max: option.high } : {};
  return h("input", {
    ...range,
    type: "number",
    name: option.name,
    value: option.default,
    required: true,
    inputmode: "numeric",
    change: changed,
  });
}

/**
 * Makes a small board on which cells are chosen by clicking, with their partners; the server refuses what cannot be.
 *
 * @param {GameData} game
 * @param {CellsOption} option
 * @param {{options: OptionValues}} chosen
 * @param {(value: string) => void} change
 */
function cellsField(game, option, chosen, change) {
  let cells = cellsOf(chosen.options[option.name] ?? option.default);
  const place = h("div", { class: "cells-board" });
  const problem = h("p", { class: "problem", role: "alert" });
  const draw = async (/** @type {string[]} */ wanted, focused = "") => {
    try {
      const found = await drawing(game.name, { ...chosen.options, ...option.needs, [option.name]: wanted.join(",") });
      cells = wanted;
      problem.textContent = "";
      const board = new Board(found, { choose: toggle, label: option.title, coordinates: true, describe });
      board.show({ pieces: [] });
      place.replaceChildren(board.element);
      const cell = board.element.querySelector(`[role="gridcell"][data-cell="${focused}"]`);
      if (cell instanceof SVGElement) cell.focus();
      change(cells.join(","));
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const toggle = (/** @type {string} */ cell) => {
    const together = new Set([cell, option.partners[cell] ?? cell]);
    const others = cells.filter((each) => !together.has(each));
    const wanted = cells.includes(cell)
      ? others
      : option.cells.filter((each) => others.includes(each) || together.has(each));
    draw(wanted, cell);
  };
  const describe = (/** @type {{name: string}} */ { name }) =>
    cells.includes(name) ? t("start.cell.chosen", { cell: name }) : name;
  draw(cells);
  return h(
    "fieldset",
    { class: "field" },
    h("legend", {}, option.title),
    h("p", { class: "soft" }, t("start.cells")),
    place,
    problem,
  );
}

/** @param {string | number} value */
const cellsOf = (value) => String(value).split(",").filter(Boolean);
