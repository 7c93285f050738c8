/**
 * The page of a match: draws the states that the server sends, and sends what is chosen.
 *
 * @import { ActionData, DrawingData, EventMessage, GameData, MatchRequest, MatchSnapshot, MatchState } from "../../net/wire.d.ts"
 * @import { Notice } from "../../net/match-socket.js"
 * @import { Go, Line, Moment, OpenPage } from "../../types.d.ts"
 */

import { rolledPoints } from "../../board/rolls.js";
import { die, smallPiece } from "../../board/pieces.js";
import { PlayBoard } from "../../board/play-board.js";
import { stackList } from "../../board/stacks.js";
import * as api from "../../net/api.js";
import { t } from "../../net/language.js";
import { MatchSocket } from "../../net/match-socket.js";
import { isStill, onChange, setting } from "../../net/settings.js";
import { ChanceGraph } from "../../ui/chance-graph.js";
import { makeControls, offerBox, resultButtons, toggles } from "../../ui/controls.js";
import { button, h, places, sentenceOf } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { changedOptions, optionsText } from "../../ui/format.js";
import { KnownValues } from "../../ui/known-values.js";
import { helpNote, invitations, playerList, watchFold } from "../../ui/seats.js";
import { play as sound } from "../../ui/sound.js";
import { speak } from "../../ui/speak.js";
import { startDialog } from "../../ui/start-dialog.js";
import { historyList } from "./history.js";
import { showInvitation } from "./invitation.js";
import { Moments, momentBar } from "./moments.js";
import { Thinking } from "./thinking.js";

/** @type {Record<string, number>} milliseconds before the next event, by kind */
const PAUSES = { roll: 650, play: 380 };
const PARTS = /** @type {const} */ ([
  "status",
  "dice",
  "offer",
  "seats",
  "help",
  "invitations",
  "stacks",
  "moments",
  "history",
  "fair",
]);

/** @type {OpenPage} */
export async function open(page, { argument: number, given, go }) {
  const snapshot = given && "seats" in given ? given : await api.match(number);
  const [game, drawing] = await Promise.all([
    api.gameNamed(snapshot.game),
    api.drawing(snapshot.game, snapshot.options),
  ]);
  if (location.hash && !mineOf(snapshot).length) return showInvitation(page, snapshot, game, go);
  const match = new MatchPage(page, snapshot, drawing, game, go);
  return () => match.close();
}

class MatchPage {
  /** @type {ActionData | null} sent and not confirmed */
  pending = null;
  /** @type {EventMessage[]} events that are not drawn yet */
  queue = [];
  isBusy = false;
  thinking = new Thinking();
  isConnected = true;
  /** @type {number | null} the earlier moment that is shown */
  moment = null;
  moments = new Moments();
  rollCount = 0;
  /** What the box of the offer shows. */
  offerKey = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {HTMLElement} page
   * @param {MatchSnapshot} snapshot
   * @param {DrawingData} drawing
   * @param {GameData} game
   * @param {Go} go
   */
  constructor(page, snapshot, drawing, game, go) {
    this.snapshot = snapshot;
    this.state = snapshot.state;
    /** @type {Moment & Partial<MatchState>} */
    this.shown = snapshot.state;
    this.drawing = drawing;
    this.game = game;
    this.go = go;
    this.number = snapshot.number;
    this.parts = places(PARTS);
    this.board = new PlayBoard(drawing, {
      title: game.title,
      of: { game: game.name, options: snapshot.options },
      turn: this.seenFrom(),
      play: (action) => this.play(action),
      why: (what) => api.why(this.number, what),
      refuse: () => this.refuse(),
      more: () =>
        this.state.result
          ? [
              resultButtons(this.state, this.snapshot, {
                rematch: () => this.ask("rematch", {}),
                start: () => startDialog(this.game, this.go),
              }),
            ]
          : [],
    });
    this.graph = new ChanceGraph({
      line: () => this.line(),
      players: () => this.snapshot.seats,
      goTo: (moment) => this.goTo(moment),
    });
    this.known = new KnownValues({
      ask: () => api.values(this.number),
      show: (values) => this.board.showValues(values),
      choose: (action) => this.board.type(action),
      isOpen: false,
    });
    this.controls = makeControls({
      isFlat: drawing.view === "flat",
      undo: () => this.ask("undo", {}),
      hint: () => this.hint(),
      offerDraw: () => this.ask("offer_draw", {}),
      resign: () => this.ask("resign", {}),
      turn: (by) => this.turn(by),
    });
    this.toggles = toggles();
    this.analyse = h(
      "a",
      { class: "quiet-link", href: `/analyse/${game.name}?match=${this.number}` },
      t("nav.analyse"),
    );
    this.build(page);
    this.draw();
    this.endListening = onChange((name) => this.changed(name));
    this.socket = new MatchSocket(this.number, {
      snapshot: (message) => this.renew(message),
      event: (message) => this.enqueue(message),
      notice: (message) => this.hear(message),
      status: (isConnected) => this.connected(isConnected),
    });
    document.title = `${game.title} · damier`;
  }

  close() {
    document.body.classList.remove("offline");
    clearTimeout(this.timer);
    this.board.close();
    this.graph.close();
    this.endListening();
    this.socket.close();
  }

  /** Returns the turn of the board: the second player of a flat board sits on the other side. */
  seenFrom() {
    const mine = this.snapshot.seats.findIndex((seat) => seat.is_mine);
    const isAlone = this.snapshot.seats.filter((seat) => seat.is_mine).length === 1;
    return this.drawing.view === "flat" && isAlone && mine === 1 && this.snapshot.seats.length === 2 ? 2 : 0;
  }

  // Building ---------------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} page */
  build(page) {
    const title = h(
      "header",
      { class: "match-title" },
      h("h1", {}, this.game.title),
      h("p", { class: "soft" }, this.optionsText()),
    );
    this.board.place.append(this.parts.dice);
    page.className = `match ${this.drawing.view}`;
    page.replaceChildren(
      h("section", { class: "table" }, this.parts.status, this.board.place, this.parts.moments, this.board.under),
      h(
        "aside",
        { class: "side" },
        title,
        this.parts.offer,
        this.parts.invitations,
        this.parts.seats,
        this.parts.help,
        this.controls.element,
        this.parts.stacks,
        this.known.element,
        this.board.typed,
        this.parts.history,
        this.graph.element,
        this.toggles,
        this.parts.fair,
        watchFold(this.number),
        embedBox(`/embed/match/${this.number}`, this.game.title),
        button(t("match.new"), () => startDialog(this.game, this.go), { sign: "plus", look: "quiet" }),
        h(
          "p",
          { class: "quiet-links" },
          h("a", { class: "quiet-link", href: `/rules/${this.game.name}` }, t("nav.rules")),
          this.analyse,
        ),
      ),
    );
  }

  optionsText() {
    return optionsText(this.game.options, changedOptions(this.game.options, this.snapshot.options));
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  get canAct() {
    return this.state.is_my_turn && !this.state.result && !this.pending && this.moment === null;
  }

  /** The player for whom the computer is choosing in the state that is drawn, or null. */
  get thinker() {
    return this.state.result ? null : this.thinking.player(this.snapshot.seq);
  }

  /** Draws all of the present state. */
  draw({ isBack = false } = {}) {
    this.moment = null;
    this.shown = this.state;
    this.parts.moments.replaceChildren();
    this.board.show(this.state, { isBack, canAct: this.canAct });
    this.drawStatus();
    this.drawSide();
    this.loadValues();
  }

  drawStatus() {
    const state = this.shown;
    const [first, ...others] = state.captions;
    const mine = this.snapshot.seats.filter((seat) => seat.is_mine);
    const player = state.result ? state.result.winner : state.mover;
    const look = this.drawing.looks[player ?? ""];
    const text =
      !state.result && state.is_my_turn && mine.length === 1
        ? t("match.your_turn_as", { player: state.mover_name ?? "" })
        : (state.result?.sentence ?? first ?? "");
    const waits = this.thinker && this.moment === null && !state.result && t("match.thinking");
    const hadFocus = this.parts.status.contains(document.activeElement);
    this.parts.status.className = `status${state.result ? " over" : ""}${state.is_my_turn && !state.result ? " mine" : ""}`;
    this.parts.status.replaceChildren(
      ...(look ? [smallPiece(look)] : []),
      h(
        "div",
        {},
        h("p", { class: "now" }, text),
        h(
          "p",
          { class: "soft" },
          this.isConnected ? waits || (state.result ? "" : others.join(" · ")) || this.advice() : t("live.connecting"),
        ),
      ),
      ...(this.isConnected ? [] : [button(t("live.retry"), () => this.socket.retry())]),
    );
    if (hadFocus) this.board.board.focus();
    this.drawDie();
  }

  /** Returns a few words about what to do next, where the state says nothing. */
  advice() {
    if (!mineOf(this.snapshot).length) return t("match.watching");
    if (this.snapshot.seats.some((seat) => seat.kind === "open")) return t("match.waiting_for_friend");
    return "";
  }

  drawDie() {
    if (!this.snapshot.dice) return;
    const rolls = rolledPoints(this.drawing, this.state.history);
    const points = rolls.at(-1);
    const isNew = this.state.last?.player === "chance";
    if (this.rollCount !== rolls.length)
      this.parts.dice.replaceChildren(...(points ? [die(points, t("dice.shows", { points }))] : []));
    this.rollCount = rolls.length;
    this.parts.dice.classList.toggle("used", !isNew);
  }

  drawSide() {
    const { state, parts, snapshot } = this;
    parts.seats.replaceChildren(playerList(snapshot, state, this.drawing, this.game, this.thinker));
    parts.invitations.replaceChildren(...invitations(snapshot));
    this.drawOffer();
    parts.history.replaceChildren(
      ...historyList(state, parts.history, {
        snapshot,
        drawing: this.drawing,
        moment: this.moment,
        goTo: (moment) => this.goTo(moment),
      }),
    );
    this.graph.turnTo(this.line().actions);
    this.graph.update(state.history.length, this.moment ?? state.history.length);
    if (this.drawing.view === "isometric")
      stackList(parts.stacks, this.drawing, state, this.board.board, (cell) => this.board.choose(cell));
    this.controls.update(state, snapshot);
    this.board.typed.hidden = !mineOf(snapshot).length || Boolean(state.result);
    this.drawHelp();
    this.drawFair();
  }

  /** Draws the offer that waits, unless it is drawn already: its buttons keep the focus. */
  drawOffer() {
    const { state, snapshot } = this;
    const { offer } = this.parts;
    const key = JSON.stringify([state.offer, state.can.answer]);
    if (key === this.offerKey) return;
    this.offerKey = key;
    const hadFocus = offer.contains(document.activeElement);
    offer.replaceChildren(
      ...offerBox(state, snapshot, {
        answer: (yes) => this.ask("answer", { yes }),
        withdraw: () => this.ask("withdraw", {}),
      }),
    );
    if (hadFocus) this.board.board.focus();
  }

  /** Says whether help is allowed, and hides what is help while it is not. */
  drawHelp() {
    const isOff = !this.state.can.help;
    this.parts.help.replaceChildren(...helpNote(this.snapshot));
    this.analyse.hidden = isOff;
    if (isOff) this.graph.element.hidden = true;
    for (const toggle of this.toggles.querySelectorAll('[data-setting="values"]'))
      toggle.toggleAttribute("hidden", isOff);
  }

  drawFair() {
    const dice = this.state.dice ?? this.snapshot.dice;
    if (!dice) return;
    this.parts.fair.replaceChildren(
      h(
        "details",
        { class: "fold", open: this.parts.fair.querySelector("details")?.open },
        h("summary", {}, t("dice.fair")),
        h("p", { class: "soft" }, t("dice.intro")),
        h(
          "dl",
          {},
          h("dt", {}, t("dice.hash")),
          h("dd", { class: "code" }, dice.hash),
          h("dt", {}, t("dice.seed")),
          h("dd", { class: "code" }, dice.seed ?? t("dice.seed.later")),
        ),
        h("a", { href: `/dice/${this.number}` }, t("dice.check.link")),
      ),
    );
  }

  // Earlier moments --------------------------------------------------------------------------------------------------

  /**
   * Returns what has been played.
   *
   * @returns {Line}
   */
  line() {
    return {
      game: this.snapshot.game,
      options: this.snapshot.options,
      actions: this.state.history.map(({ action }) => action),
    };
  }

  /**
   * Shows the board after `moment` actions; null and the last moment are the game as it stands.
   *
   * @param {number | null} moment
   */
  async goTo(moment) {
    const { state } = this;
    const count = state.history.length;
    if (moment === null || moment >= count) {
      if (this.moment !== null) this.draw({ isBack: true });
      return;
    }
    const shown = await this.moments.state(this.line(), moment).catch((error) => this.board.say(error.message));
    if (!shown || state !== this.state) return;
    const isBack = moment < (this.moment ?? count);
    this.moment = moment;
    this.shown = shown;
    this.board.say("");
    this.board.show(shown, { isBack });
    this.drawStatus();
    this.parts.moments.replaceChildren(momentBar(moment, count, (to) => this.goTo(to)));
    this.drawSide();
    speak(t("moment.after", { count: moment, all: count }));
  }

  /** Says why nothing can be chosen now. */
  refuse() {
    if (this.moment !== null) this.board.say(t("moment.past"));
    else if (this.pending || this.state.result) return;
    else if (!mineOf(this.snapshot).length) this.board.say(t("match.watching"));
    else this.board.say(t("match.not_your_turn"));
  }

  // Doing ------------------------------------------------------------------------------------------------------------

  /** @param {ActionData} action */
  async play(action) {
    this.pending = action;
    this.board.pend(action);
    const before = this.state;
    try {
      await this.socket.send("play", { action: action.action, seq: this.socket.seq });
    } catch (error) {
      this.board.say(sentenceOf(error));
      if (this.state === before) this.settle();
    }
  }

  /** Draws the known state again after a refusal. */
  settle() {
    this.pending = null;
    this.draw({ isBack: true });
  }

  /**
   * @template {MatchRequest["do"]} W
   * @param {W} what
   * @param {Omit<Extract<MatchRequest, {do: W}>, "id" | "do">} fields
   */
  ask(what, fields) {
    return this.socket.send(what, fields).catch((error) => this.board.say(error.message));
  }

  async hint() {
    this.board.say(t("hint.wait"));
    try {
      const { action, reason } = await api.hint(this.number);
      this.board.point(action);
      const name = this.state.actions.find((each) => each.action === action)?.name ?? action;
      this.board.say(t("hint.text", { action: name, reason: reason ?? "" }), true);
    } catch (error) {
      this.board.say(sentenceOf(error));
    }
  }

  /** @param {number} by quarter turns */
  turn(by) {
    this.board.setTurn(this.board.board.turn + by);
  }

  /** @param {string} name of a setting */
  changed(name) {
    if (name === "values") this.loadValues();
  }

  loadValues() {
    if (this.state.can.help && (this.state.is_my_turn || !setting("values"))) this.known.look(this.state, this.line());
    else this.known.clear();
  }

  // Hearing ----------------------------------------------------------------------------------------------------------

  /** @param {boolean} isConnected */
  connected(isConnected) {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    speak(t(isConnected ? "live.connected" : "live.lost"));
    document.body.classList.toggle("offline", !isConnected);
    this.drawStatus();
  }

  /** @param {MatchSnapshot} snapshot */
  renew(snapshot) {
    this.queue = [];
    const isSame = this.snapshot.seq === snapshot.seq && !this.pending;
    const { rematch } = this.state;
    this.snapshot = snapshot;
    if (!rematch && this.follow(snapshot.state)) return;
    this.thinking.renew(snapshot.seq);
    if (isSame) {
      this.drawStatus();
      this.drawSide();
      return;
    }
    this.state = snapshot.state;
    this.pending = null;
    this.draw();
  }

  /**
   * Takes a player along to the rematch, if it has begun; returns whether it does. A spectator gets a link.
   *
   * @param {MatchState} state
   */
  follow(state) {
    if (!state.rematch || !mineOf(this.snapshot).length) return false;
    this.go(`/m/${state.rematch}`);
    return true;
  }

  /**
   * Queues an event: those that come at once are drawn one after the other.
   *
   * @param {EventMessage} message
   */
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

  /** @param {EventMessage} message */
  happen({ event, state, seq }) {
    const before = this.state;
    this.snapshot.seq = seq;
    this.state = state;
    if (event.kind === "rematch" && this.follow(state)) return;
    this.pending = null;
    this.thinking.note(seq, event.kind);
    this.board.say("");
    this.draw({ isBack: event.kind === "undo" });
    this.tell(event, before);
    if (event.kind === "seat") this.refresh();
  }

  /**
   * Announces an event by sound and for screen readers.
   *
   * @param {EventMessage["event"]} event
   * @param {MatchState} before
   */
  tell(event, before) {
    const name = (/** @type {string} */ player) =>
      this.snapshot.seats.find((seat) => seat.player === player)?.name ?? "";
    const { state } = this;
    if (event.kind === "play") {
      sound(state.pieces.length < before.pieces.length ? "burst" : "set");
      speak(t("said.play", { player: name(event.player), action: event.action }));
    } else if (event.kind === "roll") {
      sound("roll");
      speak(t("dice.shows", { points: rolledPoints(this.drawing, state.history).at(-1) ?? "" }));
    } else if (event.kind === "undo") speak(t("said.undo"));
    else if (event.kind === "offer" && !state.can.answer)
      speak(t(`offer.${event.what}`, { player: name(event.player) }));
    else if (event.kind === "accept") speak(t("offer.accepted", { player: name(event.player) }));
    else if (event.kind === "decline") this.board.say(t("offer.declined"));
    else if (event.kind === "withdraw") this.board.say(t("offer.withdrawn"));
    else if (event.kind === "rematch") this.board.say(t("match.next.begun"));
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

  /** @param {Notice} message */
  hear(message) {
    if (message.type === "thinking") this.thinking.begin(message.player, this.queue.at(-1)?.seq ?? this.snapshot.seq);
    if (message.type === "here")
      for (const seat of this.snapshot.seats) seat.is_here = message.seats.includes(seat.player);
    if (message.type === "names")
      for (const seat of this.snapshot.seats) seat.nickname = message.nicknames[seat.player] ?? seat.nickname;
    this.drawStatus();
    this.drawSide();
  }
}

/** @param {MatchSnapshot} snapshot */
const mineOf = (snapshot) => snapshot.seats.filter((seat) => seat.is_mine);
