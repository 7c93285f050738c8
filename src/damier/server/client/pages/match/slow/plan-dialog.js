/**
 * The dialog in which a line of conditional turns is played on a board: the other player's turn, one's answer, and so on.
 *
 * @import { ConditionalData, PlayState } from "../../../net/wire.d.ts"
 * @import { Match } from "./slow-part.js"
 * @import { Step } from "./plan.js"
 */

import { PlayBoard } from "../../../board/play-board.js";
import { post } from "../../../net/api.js";
import { t } from "../../../net/language.js";
import { button, h, sentenceOf } from "../../../ui/dom.js";
import { isLine, lineText, turnsOf } from "./plan.js";

/**
 * @param {Match} match
 * @param {ConditionalData} kept
 * @param {(line: string[][]) => Promise<void>} keep throws a sentence if the line is refused
 */
export function planDialog({ snapshot, state: now, drawing, game }, kept, keep) {
  const me = snapshot.seats.find((seat) => seat.is_mine)?.player ?? "";
  const before = now.history.slice(0, kept.base).map(({ action }) => action);
  const longest = 2 * kept.most_answers;
  /** @type {Step[]} */
  let steps = [];
  /** @type {PlayState | null} */
  let state = null;
  const line = () => ({
    game: snapshot.game,
    options: snapshot.options,
    actions: [...before, ...steps.map(({ action }) => action)],
  });
  const isSecond = snapshot.seats.findIndex((seat) => seat.is_mine) === 1;
  const board = new PlayBoard(drawing, {
    title: game.title,
    of: { game: snapshot.game, options: snapshot.options },
    turn: drawing.view === "flat" && isSecond ? 2 : 0,
    play: (action) => go([...steps, { action: action.action, turn: state?.turn ?? 0, player: state?.mover ?? "" }]),
    why: (what) => post("lines/why", { ...line(), ...what }),
  });
  const status = h("p", { class: "plan-status", role: "status" });
  const list = h("p", { class: "plan-line" });
  const stacks = h("div", { class: "stacks" });
  const problem = h("p", { class: "problem", role: "alert" });
  const back = button(t("plan.back"), () => go(steps.slice(0, -1)), { sign: "back" });
  const save = button(t("plan.keep"), () => store(), { look: "main" });

  const draw = (isBack = false) => {
    if (!state) return;
    const turns = turnsOf(steps);
    const isWhole = isLine(steps, state, me);
    const isFull = isWhole && turns.length >= longest;
    board.show(state, { isBack, canAct: !state.result && !isFull });
    board.listStacks(stacks, state);
    const name = snapshot.seats.find((seat) => seat.player !== me)?.name ?? "";
    status.textContent = state.result
      ? state.result.sentence
      : isFull
        ? t("plan.full")
        : state.mover === me
          ? t("plan.answer")
          : t(steps.length ? "plan.suppose.on" : "plan.suppose", { player: name });
    list.textContent = lineText(turns);
    back.disabled = !steps.length;
    save.disabled = !isWhole;
  };
  const go = async (/** @type {Step[]} */ next) => {
    const isBack = next.length < steps.length;
    steps = next;
    problem.textContent = "";
    try {
      const found = await post("lines/state", line());
      if (steps !== next) return;
      state = found;
      draw(isBack);
    } catch (error) {
      problem.textContent = sentenceOf(error);
    }
  };
  const store = async () => {
    save.disabled = true;
    try {
      await keep(turnsOf(steps));
      dialog.close();
    } catch (error) {
      problem.textContent = sentenceOf(error);
      draw();
    }
  };
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    {
      class: `plan ${drawing.view}`,
      "aria-label": t("plan.title"),
      close: () => {
        board.close();
        dialog.remove();
      },
    },
    h("h2", {}, t("plan.title")),
    status,
    h("div", { class: "table" }, board.place, board.under),
    stacks,
    list,
    problem,
    h(
      "div",
      { class: "buttons" },
      save,
      back,
      button(t("plan.cancel"), () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  go([]);
}
