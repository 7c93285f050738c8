/** The page of a match: draws what it is told and sends what is chosen. */

import * as api from "./api.js";
import { Board } from "./board.js";
import { Course } from "./course.js";
import { atFirst, buttons, complete, following, HAND, pick } from "./choose.js";
import { makeControls, offerBox, resultButtons, toggles } from "./controls.js";
import { rolled } from "./dice.js";
import { button, h } from "./dom.js";
import { historyList } from "./history.js";
import { Live } from "./live.js";
import { momentBar, Moments } from "./moments.js";
import { die, smallPiece } from "./pieces.js";
import { handCount, invitations, players } from "./seats.js";
import { isStill, onChange, setting } from "./settings.js";
import { play as sound } from "./sound.js";
import { speak } from "./speak.js";
import { stackList } from "./stacks.js";
import { startDialog } from "./start.js";
import { tableBox } from "./tables.js";
import { onCells, valueList } from "./values.js";
import { t, tOr } from "./words.js";

const PAUSES = { roll: 650, play: 380 };
const MESSAGE_TIME = 7000;

export async function open(page, { argument: number, given, go }) {
  const snapshot = given ?? (await enter(number));
  const [games, drawing] = await Promise.all([api.allGames(), api.drawing(snapshot.game, snapshot.options)]);
  const match = new MatchPage(page, snapshot, drawing, games.find(({ name }) => name === snapshot.game), go);
  return () => match.close();
}

/** Takes the seat of an invitation in the address, unless one has a seat already. */
async function enter(number) {
  const invitation = location.hash.slice(1);
  const snapshot = await api.match(number);
  if (!invitation || snapshot.seats.some((seat) => seat.is_mine)) return snapshot;
  const taken = await api.takeSeat(number, decodeURIComponent(invitation));
  history.replaceState(null, "", location.pathname);
  return taken;
}

class MatchPage {
  picked = [];
  choices = [];
  pending = null;
  queue = [];
  thinking = null;
  values = null;
  hintCells = [];
  isConnected = true;
  moment = null;
  moments = new Moments();

  constructor(page, snapshot, drawing, game, go) {
    Object.assign(this, { snapshot, state: snapshot.state, drawing, game, go });
    this.number = snapshot.number;
    this.board = new Board(drawing, {
      choose: (cell) => this.choose(cell),
      label: t("board.label", { game: game.title }),
      describe: (cell, pieces, marks) => this.describe(cell, pieces, marks),
      coordinates: setting("coordinates"),
      turn: this.seenFrom(),
    });
    this.board.cancel = () => this.cancel();
    this.board.canDrag = (cell) => this.canDrag(cell);
    this.board.onDrag = (cell) => this.beginDrag(cell);
    this.build(page);
    this.draw();
    this.endListening = onChange((name) => this.changed(name));
    this.live = new Live(this.number, {
      snapshot: (message) => this.renew(message),
      event: (message) => this.enqueue(message),
      other: (message) => this.hear(message),
      status: (isConnected) => this.connected(isConnected),
    });
    document.title = `${game.title} · damier`;
  }

  close() {
    document.body.classList.remove("offline");
    clearTimeout(this.timer);
    clearTimeout(this.messageTimer);
    this.course.close();
    this.endListening();
    this.live.close();
  }

  /** The second player of a flat board sits on the other side. */
  seenFrom() {
    const mine = this.snapshot.seats.findIndex((seat) => seat.is_mine);
    const isAlone = this.snapshot.seats.filter((seat) => seat.is_mine).length === 1;
    return this.drawing.view === "flat" && isAlone && mine === 1 && this.snapshot.seats.length === 2 ? 2 : 0;
  }

  // Building ---------------------------------------------------------------------------------------------------------

  build(page) {
    const isFlat = this.drawing.view === "flat";
    this.parts = Object.fromEntries(
      ["status", "dice", "under", "offer", "seats", "invitations", "stacks", "known", "moments", "history", "fair"].map((name) => [name, h("div", { class: name })]));
    this.message = h("p", { class: "at-board", role: "alert", hidden: true });
    this.typed = this.typeBox();
    this.course = new Course({
      line: () => this.line(),
      players: () => this.snapshot.seats,
      goTo: (moment) => this.goTo(moment),
    });
    this.controls = makeControls({
      isFlat,
      undo: () => this.ask("undo"),
      hint: () => this.hint(),
      offerDraw: () => this.ask("offer_draw"),
      resign: () => this.ask("resign"),
      turn: (by) => this.turn(by),
    });
    const title = h("header", { class: "match-title" }, h("h1", {}, this.game.title), h("p", { class: "soft" }, this.optionsText()));
    page.className = `match ${this.drawing.view}`;
    page.replaceChildren(
      h("section", { class: "table" }, this.parts.status,
        h("div", { class: "board-place" }, this.board.element, this.message, this.parts.dice), this.parts.moments, this.parts.under),
      h("aside", { class: "side" }, title, this.parts.offer, this.parts.invitations, this.parts.seats, this.controls.element,
        this.parts.stacks, this.parts.known, this.typed, this.parts.history, this.course.element, toggles(), this.parts.fair,
        button(t("match.new"), () => startDialog(this.game, this.go), { sign: "plus", look: "quiet" })));
  }

  optionsText() {
    const changed = this.game.options.filter(({ name, default: usual }) => name in this.snapshot.options && this.snapshot.options[name] !== usual);
    return changed.map(({ name }) => `${tOr(`option.${name}`, name)} ${this.snapshot.options[name]}`).join(" · ");
  }

  typeBox() {
    this.completions = h("datalist", { id: "actions" });
    const input = h("input", { type: "text", list: "actions", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: t("type.place") });
    const submit = (event) => {
      event.preventDefault();
      const action = input.value.trim();
      if (action) this.type(action);
      input.value = "";
    };
    return h("form", { class: "typed", submit }, h("label", { class: "field" }, h("span", {}, t("type.label")), input),
      h("button", { type: "submit" }, t("type.go")), this.completions);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  get canAct() {
    return this.state.is_my_turn && !this.state.result && !this.pending && this.moment === null;
  }

  /** Draws all of the present state. */
  draw({ isBack = false } = {}) {
    this.moment = null;
    this.shown = this.state;
    this.parts.moments.replaceChildren();
    const singles = this.canAct ? this.state.actions.filter(({ cells }) => cells.length === 1).map(({ cells }) => cells[0]) : [];
    this.picked = this.canAct ? atFirst(this.state.actions) : [];
    this.choices = [];
    this.hintCells = [];
    this.values = null;
    this.board.show(this.state, { isBack, lit: new Set(singles) });
    this.drawSigns();
    this.drawStatus();
    this.drawSide();
    this.loadValues();
  }

  drawSigns() {
    const { actions } = this.state;
    if (!this.canAct) this.board.mark({});
    else {
      const next = following(actions, this.picked);
      const first = following(actions, []);
      const fromHand = [...following(actions, [HAND]).keys()].filter((cell) => !first.has(cell));
      const isSingle = ([, through]) => through.some(({ cells }) => cells.length === 1);
      const singles = this.picked.length ? [] : [...[...next].filter(isSingle).map(([cell]) => cell), ...fromHand];
      const targets = this.picked.length ? [...next.keys()] : [];
      this.board.mark({ picked: this.picked, starts: first.keys(), targets, singles, hint: this.hintCells });
    }
    this.drawUnder();
    const isShown = this.canAct && setting("values") && this.values;
    this.board.showValues(isShown ? onCells(actions, this.picked, this.values, (cell) => this.board.on(cell).length > 0) : new Map());
  }

  drawStatus() {
    const state = this.shown ?? this.state;
    const [first, ...others] = state.captions;
    const mine = this.snapshot.seats.filter((seat) => seat.is_mine);
    const player = state.result ? state.result.winner : state.mover;
    const look = this.drawing.looks[player];
    const text = !state.result && state.is_my_turn && mine.length === 1 ? t("match.your_turn_as", { player: state.mover_name }) : state.result?.sentence ?? first ?? "";
    const waits = this.thinking && !state.result && t("match.thinking");
    this.parts.status.className = `status${state.result ? " over" : ""}${state.is_my_turn && !state.result ? " mine" : ""}`;
    this.parts.status.replaceChildren(
      ...[look && smallPiece(look)].filter(Boolean),
      h("div", {}, h("p", { class: "now" }, text),
        h("p", { class: "soft" }, this.isConnected ? waits || others.join(" · ") || this.advice() : t("live.connecting"))));
    this.drawDie();
  }

  /** What to do next, in a few words, as long as there is nothing more to say. */
  advice() {
    if (!mineOf(this.snapshot).length) return t("match.watching");
    if (this.snapshot.seats.some((seat) => seat.kind === "open")) return t("match.waiting_for_friend");
    return "";
  }

  drawDie() {
    if (!this.snapshot.dice) return;
    const rolls = rolled(this.state.history);
    const points = rolls.at(-1);
    const isNew = this.state.last?.player === "chance" || /^roll:/.test(this.state.last?.action ?? "");
    if (this.dieCount !== rolls.length)
      this.parts.dice.replaceChildren(...(points ? [die(points, t("dice.shows", { points }))] : []));
    this.dieCount = rolls.length;
    this.parts.dice.classList.toggle("used", !isNew);
  }

  /** Under the board: the hand, buttons for actions without cells, and choices. */
  drawUnder() {
    const { actions } = this.state;
    const shown = [];
    if (this.canAct && following(actions, []).has(HAND)) shown.push(this.tray());
    const asked = this.choices.length ? this.choices : this.canAct ? [...buttons(actions), ...this.finishing()] : [];
    if (this.choices.length) shown.push(h("p", {}, t("choose.which")));
    shown.push(...asked.map((action) => button(tOr(`action.${action.action}`, action.action), () => this.play(action), { look: "main" })));
    if (this.choices.length || this.picked.some((cell) => cell !== HAND)) shown.push(button(t("choose.cancel"), () => this.cancel(), { look: "quiet" }));
    if (this.state.result) shown.push(resultButtons(this.state, { rematch: () => this.ask("rematch"), start: () => startDialog(this.game, this.go) }));
    this.parts.under.replaceChildren(...shown);
  }

  /** Actions that are complete although others go on from there. */
  finishing() {
    return this.picked.length ? complete(this.state.actions, this.picked) : [];
  }

  tray() {
    const look = this.drawing.looks[this.state.mover];
    const count = handCount(this.state, this.state.mover);
    const isPicked = this.picked[0] === HAND;
    return h("button", { type: "button", class: `tray${isPicked ? " picked" : ""}`, "aria-pressed": String(isPicked), click: () => this.choose(HAND) },
      h("span", {}, t("hand.bring")), Array.from({ length: Math.min(count, 8) }, () => smallPiece(look)));
  }

  drawSide() {
    const { state, parts, snapshot } = this;
    parts.seats.replaceChildren(players(snapshot, state, this.drawing, this.game, this.thinking));
    parts.invitations.replaceChildren(...invitations(snapshot));
    parts.offer.replaceChildren(...offerBox(state, this.snapshot, (yes) => this.ask("answer", { yes })));
    parts.history.replaceChildren(...historyList(state, this.snapshot, parts.history, this.moment, (moment) => this.goTo(moment)));
    this.course.update(state.history.length, this.moment ?? state.history.length);
    if (this.drawing.view === "isometric") stackList(parts.stacks, this.drawing, state, this.board, (cell) => this.choose(cell));
    this.controls.update(state, snapshot);
    this.completions.replaceChildren(...state.actions.map(({ action }) => h("option", { value: action })));
    this.typed.hidden = !mineOf(snapshot).length || Boolean(state.result);
    this.drawFair();
  }

  drawFair() {
    const dice = this.state.dice ?? this.snapshot.dice;
    if (!dice) return;
    this.parts.fair.replaceChildren(h("details", { class: "fold", open: this.parts.fair.querySelector("details")?.open },
      h("summary", {}, t("dice.fair")), h("p", { class: "soft" }, t("dice.intro")),
      h("dl", {}, h("dt", {}, t("dice.hash")), h("dd", { class: "code" }, dice.hash),
        h("dt", {}, t("dice.seed")), h("dd", { class: "code" }, dice.seed ?? t("dice.seed.later"))),
      h("a", { href: `/dice/${this.number}` }, t("dice.check.link"))));
  }

  /** What one says of a cell. */
  describe(cell, pieces, marks) {
    const special = marks.map((mark) => this.drawing.marks[mark] ?? mark);
    if (pieces.length > 1) {
      const names = pieces.map(({ player }) => this.drawing.looks[player].name).join(", ");
      return [cell.name, t("cell.stack", { count: pieces.length, pieces: names }), ...special].join(", ");
    }
    const what = cell.can_hold ? t("cell.empty") : t(`cell.${cell.kind}`);
    return [pieces[0]?.label ?? `${cell.name}, ${what}`, ...special].join(", ");
  }

  // Earlier moments --------------------------------------------------------------------------------------------------

  /** What has been played, as requests about it want it. */
  line() {
    return { game: this.snapshot.game, options: this.snapshot.options, actions: this.state.history.map(({ action }) => action) };
  }

  /** Shows the board after so many actions; without a number, or with all of them, the game as it stands. */
  async goTo(moment) {
    const { state } = this;
    const count = state.history.length;
    if (moment === null || moment >= count) return this.moment === null ? undefined : this.draw({ isBack: true });
    const shown = await this.moments.state(this.line(), moment).catch((error) => this.say(error.message));
    if (!shown || state !== this.state) return;
    const isBack = moment < (this.moment ?? count);
    this.moment = moment;
    this.shown = shown;
    this.picked = this.choices = this.hintCells = [];
    this.board.show(shown, { isBack });
    this.drawSigns();
    this.drawStatus();
    this.parts.moments.replaceChildren(momentBar(moment, count, (to) => this.goTo(to)));
    this.drawSide();
    speak(t("moment.after", { count: moment, all: count }));
  }

  // Choosing ---------------------------------------------------------------------------------------------------------

  choose(cell) {
    if (!this.canAct) return this.refuse();
    this.say("");
    const outcome = pick(this.state.actions, this.picked, cell);
    this.picked = outcome.picked;
    this.choices = outcome.choices ?? [];
    this.hintCells = [];
    if (outcome.play) return this.play(outcome.play);
    this.drawSigns();
    if (outcome.misfit) this.explain({ cells: outcome.misfit });
    else if (this.picked.length) speak(t("said.picked", { cells: this.picked.filter((each) => each !== HAND).join(" ") || t("hand.title") }));
  }

  cancel() {
    this.picked = this.canAct ? atFirst(this.state.actions) : [];
    this.choices = [];
    this.say("");
    this.drawSigns();
  }

  canDrag(cell) {
    return this.canAct && (this.picked.at(-1) === cell || following(this.state.actions, [cell]).size > 0);
  }

  beginDrag(cell) {
    if (this.picked.at(-1) === cell) return;
    this.picked = [cell];
    this.choices = [];
    this.drawSigns();
  }

  /** Says why nothing can be chosen now. */
  refuse() {
    if (this.moment !== null) return this.say(t("moment.past"));
    if (this.pending || this.state.result) return;
    if (!mineOf(this.snapshot).length) this.say(t("match.watching"));
    else this.say(t("match.not_your_turn"));
  }

  type(action) {
    const found = this.state.actions.find((each) => each.action === action);
    if (!this.canAct) this.refuse();
    else if (found) this.play(found);
    else this.explain({ action });
  }

  async explain(what) {
    sound("no");
    const answer = await api.why(this.number, what).catch((error) => ({ sentence: error.message }));
    this.say(answer.sentence);
  }

  // Doing ------------------------------------------------------------------------------------------------------------

  async play(action) {
    this.pending = action;
    this.picked = [];
    this.choices = [];
    this.board.showPending(action.cells, this.state.mover);
    this.drawSigns();
    const before = this.state;
    try {
      await this.live.send("play", { action: action.action, seq: this.live.seq });
    } catch (error) {
      this.say(error.message);
      if (this.state === before) this.settle();
    }
  }

  /** Draws the known state again after a refusal. */
  settle() {
    this.pending = null;
    this.draw({ isBack: true });
  }

  ask(what, fields) {
    return this.live.send(what, fields).catch((error) => this.say(error.message));
  }

  async hint() {
    this.say(t("hint.wait"));
    try {
      const { action, reason } = await api.hint(this.number);
      this.hintCells = this.state.actions.find((each) => each.action === action)?.cells ?? [];
      this.drawSigns();
      this.say(t("hint.text", { action: tOr(`action.${action}`, action), reason: reason ?? "" }), true);
    } catch (error) {
      this.say(error.message);
    }
  }

  turn(by) {
    this.board.setTurn(this.board.turn + by);
    this.drawSigns();
  }

  changed(name) {
    if (name === "coordinates") this.board.setCoordinates(setting("coordinates"));
    if (name === "values" || name === "coordinates") this.drawSigns();
    if (name === "values") this.loadValues();
  }

  async loadValues() {
    this.parts.known.replaceChildren();
    if (!setting("values") || this.state.result || !this.state.is_my_turn) return;
    const { state } = this;
    if (!this.values) this.parts.known.replaceChildren(h("p", { class: "soft" }, t("values.wait")));
    const data = this.values ?? (await api.values(this.number).catch((error) => ({ error: error.message })));
    if (state !== this.state || !setting("values")) return;
    if (data.error) return void this.parts.known.replaceChildren(h("p", { class: "soft" }, data.error));
    this.values = data;
    const offer = h("div", { class: "table-box" });
    this.parts.known.replaceChildren(offer, h("details", { class: "fold" }, h("summary", {}, t(data.is_exact ? "values.title.exact" : "values.title.about")),
      valueList(data, (action) => this.type(action))));
    this.drawSigns();
    if (!data.is_exact) tableBox(offer, { game: this.snapshot.game, options: this.snapshot.options }, () => this.renewValues(state));
  }

  /** Asks again for the values of a state, if it is still the present one. */
  renewValues(state) {
    if (state !== this.state) return;
    this.values = null;
    this.loadValues();
  }

  /** A sentence at the board; an empty one takes it away. */
  say(text, isLasting = false) {
    clearTimeout(this.messageTimer);
    this.message.textContent = text;
    this.message.hidden = !text;
    if (text && !isLasting) this.messageTimer = setTimeout(() => this.say(""), MESSAGE_TIME);
  }

  // Hearing ----------------------------------------------------------------------------------------------------------

  connected(isConnected) {
    this.isConnected = isConnected;
    document.body.classList.toggle("offline", !isConnected);
    this.drawStatus();
  }

  renew(snapshot) {
    this.queue = [];
    const isSame = this.snapshot.seq === snapshot.seq && !this.pending;
    this.snapshot = snapshot;
    if (isSame) {
      this.drawStatus();
      this.drawSide();
      return;
    }
    this.state = snapshot.state;
    this.pending = null;
    this.draw();
  }

  /** Events that come at once are drawn one after the other, so that one can follow them. */
  enqueue(message) {
    this.queue.push(message);
    if (!this.isBusy) this.nextEvent();
  }

  nextEvent() {
    const message = this.queue.shift();
    this.isBusy = Boolean(message);
    if (!message) return;
    this.happen(message);
    const pause = PAUSES[message.event.kind] ?? 0;
    this.timer = setTimeout(() => this.nextEvent(), isStill() ? pause / 3 : pause);
  }

  happen({ event, state, seq }) {
    const before = this.state;
    this.snapshot.seq = seq;
    this.state = state;
    this.pending = null;
    if (["play", "roll", "undo"].includes(event.kind)) this.thinking = null;
    this.say("");
    this.draw({ isBack: event.kind === "undo" });
    this.tell(event, before);
    if (event.kind === "seat") this.refresh();
  }

  tell(event, before) {
    const name = (player) => this.snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
    const { state } = this;
    if (event.kind === "play") {
      sound(state.pieces.length < before.pieces.length ? "burst" : "set");
      speak(t("said.play", { player: name(event.player), action: event.action }));
    } else if (event.kind === "roll") {
      sound("roll");
      speak(t("dice.shows", { points: rolled(state.history).at(-1) }));
    } else if (event.kind === "undo") speak(t("said.undo"));
    else if (event.kind === "offer") speak(t(`offer.${event.what}`, { player: name(event.player) }));
    else if (event.kind === "decline") this.say(t("offer.declined"));
    if (state.result && !before.result) {
      sound("end");
      speak(state.result.sentence);
    } else if (state.is_my_turn && !before.is_my_turn) speak(t("match.your_turn"));
  }

  async refresh() {
    const snapshot = await api.match(this.number).catch(() => null);
    if (!snapshot) return;
    this.snapshot = { ...snapshot, seq: this.snapshot.seq };
    this.drawStatus();
    this.drawSide();
  }

  hear(message) {
    if (message.type === "rematch") return void this.go(`/m/${message.number}`);
    if (message.type === "thinking") this.thinking = message.player;
    if (message.type === "here")
      for (const seat of this.snapshot.seats) seat.is_here = message.seats.includes(seat.player);
    this.drawStatus();
    this.drawSide();
  }
}

const mineOf = (snapshot) => snapshot.seats.filter((seat) => seat.is_mine);
