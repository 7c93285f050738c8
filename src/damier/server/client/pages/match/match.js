/**
 * The page of a match: draws the states that the server sends, and sends what is chosen.
 *
 * @import { ActionData, DrawingData, GameData, MatchRequest, MatchSnapshot, MatchState,
 *   SeatData } from "../../net/wire.d.ts"
 * @import { Happened, Notice } from "../../net/sockets/match-socket.js"
 * @import { Go, Line, Moment, OpenPage } from "../../types.d.ts"
 * @import { MenuItem } from "./menu.js"
 */

import { PlayBoard } from "../../board/play-board.js";
import * as api from "../../net/api.js";
import { needSentences, t } from "../../net/language.js";
import { MatchSocket } from "../../net/sockets/match-socket.js";
import { choose, onChange, setting } from "../../net/settings.js";
import { ChanceGraph } from "../../ui/chance-graph.js";
import { makeControls, offerBox, toggle } from "../../ui/controls.js";
import { h, places, sentenceOf, styles } from "../../ui/dom.js";
import { embedBox } from "../../ui/embed-box.js";
import { changedOptions, optionsText } from "../../ui/format.js";
import { noteInterest } from "../../ui/notices/interest.js";
import { KnownValues } from "../../ui/values/known-values.js";
import { personButton } from "../../ui/people/person-dialog.js";
import { changeSentence } from "../../ui/ratings/ratings.js";
import { helpNote, invitations, playerCards, seating, watchFold } from "../../ui/seats.js";
import { speak } from "../../ui/speak.js";
import { termsText } from "../../ui/clock-text.js";
import { startDialog } from "../../ui/start/start-dialog.js";
import { Tabs } from "../../ui/tabs.js";
import { Attention } from "./attention.js";
import { ClockFaces } from "./clocks.js";
import { courseFigure } from "./ending.js";
import { ChatPanel, unreadMark } from "./chat/chat-panel.js";
import { EventQueue, tell } from "./events.js";
import { fairFold } from "./fair.js";
import { matchKeys } from "./comfort/match-keys.js";
import { zenMode } from "./comfort/zen.js";
import { byTurn, History, roundOf, rounds } from "./history.js";
import { showInvitation } from "./invitation.js";
import { Menu } from "./menu.js";
import { MomentBar, Moments } from "./moments.js";
import { NextGame } from "./next-game.js";
import { StatusCard } from "./status-card.js";
import { said } from "./status.js";
import { Thinking } from "./thinking.js";

const PARTS = /** @type {const} */ (["offer", "invitations", "stacks", "fair", "course", "mistakes", "timing", "slow"]);

/** @type {OpenPage} */
export async function open(page, { argument: number, given, go }) {
  const snapshot = given && "seats" in given ? given : await api.match(number);
  const [game, drawing, isCoached] = await Promise.all([
    api.gameNamed(snapshot.game),
    api.drawing(snapshot.game, snapshot.options),
    wantsCoach(snapshot.game),
    styles("match"),
    styles("online/people"),
  ]);
  if (location.hash && !mineOf(snapshot).length) return showInvitation(page, snapshot, game, go);
  const isShared = snapshot.seats.some((seat) => !seat.is_mine && seat.kind !== "computer");
  if (isShared && mineOf(snapshot).length && snapshot.clock?.kind !== "live") noteInterest();
  const match = new MatchPage(page, snapshot, { drawing, game, go, isCoached });
  return () => match.close();
}

/**
 * Tells whether the coach is on: as the visitor has chosen, else until a match of the game is finished.
 *
 * @param {string} game
 */
async function wantsCoach(game) {
  if (setting("coach") !== "auto") return setting("coach") === "on";
  const matches = await api.get("matches").catch(() => []);
  return !matches.some((each) => each.game === game && each.result);
}

class MatchPage {
  /** @type {ActionData | null} sent and not confirmed */
  pending = null;
  thinking = new Thinking();
  isConnected = true;
  /** Why the server has closed the connection, if it has said so. */
  closed = "";
  /** @type {number | null} the earlier moment that is shown */
  moment = null;
  moments = new Moments();
  /** What the box of the offer shows. */
  offerKey = "";
  /** The line whose review has been requested for the end. */
  reviewed = "";
  /** @type {import("./slow/slow-part.js").SlowPart | null} what only correspondence matches have */
  slow = null;

  /**
   * @param {HTMLElement} page
   * @param {MatchSnapshot} snapshot
   * @param {{drawing: DrawingData, game: GameData, go: Go, isCoached: boolean}} about
   */
  constructor(page, snapshot, { drawing, game, go, isCoached }) {
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
      confirms: true,
      plans: () => setting("ahead") && !game.has_chance && this.isWaiting,
    });
    this.card = new StatusCard(drawing, this.board, {
      isCoached,
      toggle: (isOn) => choose("coach", isOn ? "on" : "off"),
    });
    this.above = h("ul", { class: "players above", "aria-label": t("seat.label") });
    this.below = h("ul", { class: "players below", "aria-label": t("seat.label") });
    this.history = new History(drawing, snapshot.seats, (moment) => this.goTo(moment));
    this.momentBar = new MomentBar((moment) => this.goTo(moment));
    this.graph = new ChanceGraph({
      line: () => this.line(),
      players: () => this.snapshot.seats,
      goTo: (moment) => this.goTo(moment),
      drawn: () => this.drawCourse(),
    });
    this.known = new KnownValues({
      ask: () => api.values(this.number),
      show: (values) => this.board.showValues(values),
      choose: (action) => this.board.type(action),
    });
    this.menu = new Menu(t("do.more"), () => this.menuItems());
    this.controls = makeControls({
      undo: () => this.ask("undo", {}),
      hint: () => this.hint(),
      offerDraw: () => this.ask("offer_draw", {}),
      resign: () => this.ask("resign", {}),
      menu: this.menu.element,
    });
    this.values = h("div", { class: "values-tab" });
    this.noValues = h("p", { class: "soft" }, t("help.off"));
    this.watch = watchFold(this.number);
    this.embed = embedBox(`/embed/match/${this.number}`, game.title);
    this.chat = new ChatPanel({
      number: this.number,
      say: (saying) => this.socket.send("say", saying),
      isShown: () => this.tabs.chosen === "chat" && !document.hidden,
      changed: (isOpen, unread) => this.markChat(isOpen, unread),
    });
    this.tabs = this.makeTabs();
    this.queue = new EventQueue((message) => this.happen(message));
    this.attention = new Attention(game.title);
    this.clocks = new ClockFaces(snapshot, this.parts.timing, {
      abort: () => this.ask("abort", {}),
      claim: (what) => this.ask("claim", { what }),
      canAbort: () => this.state.can.abort,
    });
    this.next = new NextGame(this.number);
    if (snapshot.clock?.kind === "correspondence") this.addSlow();
    this.build(page);
    this.draw();
    const ends = [
      onChange((name) => this.changed(name)),
      zenMode(page),
      onReturn(() => this.chat.looked()),
      matchKeys({
        controls: this.controls,
        momentBar: this.momentBar,
        flip: () => this.turn(drawing.view === "flat" ? 2 : 1),
        type: () => !this.board.typed.hidden && !setting("zen") && this.reveal(this.board.typed),
      }),
    ];
    this.endListening = () => ends.forEach((end) => end());
    this.socket = new MatchSocket(this.number, {
      snapshot: (message) => this.renew(message),
      event: (message) => {
        this.clocks.set(message.clocks, message.state.result);
        this.queue.add(message);
      },
      notice: (message) => this.hear(message),
      status: (isConnected, why) => this.connected(isConnected, why),
    });
  }

  close() {
    document.body.classList.remove("offline");
    this.queue.close();
    this.clocks.close();
    this.attention.close();
    this.card.close();
    this.board.close();
    this.graph.close();
    this.endListening();
    this.socket.close();
  }

  /** Returns the turn of the board: the second player of a flat board sits on the other side. */
  seenFrom() {
    const mine = this.snapshot.seats.findIndex((seat) => seat.is_mine);
    const isAlone = mineOf(this.snapshot).length === 1;
    return this.drawing.view === "flat" && isAlone && mine === 1 && this.snapshot.seats.length === 2 ? 2 : 0;
  }

  // Building ---------------------------------------------------------------------------------------------------------

  makeTabs() {
    const { history, momentBar, known, board, graph, parts } = this;
    const show = h("div", { class: "toggles" }, toggle("values", "values", t("show.values.board")));
    this.values.append(show, known.element);
    return new Tabs(
      [
        { name: "moves", title: t("tab.moves"), content: [history.element, momentBar.element] },
        { name: "values", title: t("tab.values"), content: [this.values, this.noValues] },
        { name: "chat", title: t("tab.chat"), content: this.chat.element },
        {
          name: "more",
          title: t("tab.more"),
          content: [board.typed, graph.element, parts.mistakes, this.watch, this.embed, parts.fair],
        },
      ],
      { label: t("tab.label"), changed: () => this.showChat() },
    );
  }

  /** Notes that the chat was looked at, if it is seen now, and shows its last messages. */
  showChat() {
    if (this.tabs.chosen === "chat") this.chat.draw();
    this.chat.looked();
  }

  /**
   * Shows the tab of the chat where there is one, with the number of unread messages.
   *
   * @param {boolean} isOpen
   * @param {number} unread
   */
  markChat(isOpen, unread) {
    const isAlone = this.snapshot.seats.every((seat) => seat.is_mine || seat.kind === "computer");
    this.tabs.show("chat", isOpen && !isAlone);
    this.tabs.mark("chat", unread ? unreadMark(unread) : null);
  }

  /** @param {HTMLElement} page */
  build(page) {
    const { board, parts, game, snapshot } = this;
    const options = optionsText(game.options, changedOptions(game.options, snapshot.options));
    page.className = `playing ${this.drawing.view}`;
    page.replaceChildren(
      h("section", { class: "table" }, this.above, board.place, this.below, board.under),
      h(
        "aside",
        { class: "side" },
        h(
          "header",
          { class: "match-title" },
          h("h1", {}, game.title),
          h("p", { class: "soft" }, this.drawing.aim),
          options && h("p", { class: "soft" }, options),
          snapshot.clock && h("p", { class: "soft" }, termsText(snapshot)),
          helpNote(snapshot),
        ),
        this.card.element,
        parts.timing,
        parts.slow,
        this.next.element,
        parts.stacks,
        this.tabs.element,
        parts.invitations,
        parts.offer,
        this.controls.element,
      ),
    );
  }

  /** What the menu offers now. */
  menuItems() {
    const { game, drawing, state } = this;
    /** @type {(name: "coordinates" | "sounds" | "asks") => MenuItem} */
    const toggled = (name) => ({
      text: t(`show.${name}`),
      act: () => choose(name, !setting(name)),
      isOn: () => setting(name),
    });
    /** @type {(MenuItem | false)[]} */
    const items = [
      drawing.view === "flat"
        ? { text: t("do.flip.board"), sign: "flip", act: () => this.turn(2) }
        : { text: t("do.turn.board"), sign: "turn", act: () => this.turn(1) },
      toggled("coordinates"),
      toggled("sounds"),
      toggled("asks"),
      { text: t("zen.on"), act: () => choose("zen", !setting("zen")), isOn: () => setting("zen") },
      !this.board.typed.hidden && { text: t("type.label"), sign: "keyboard", act: () => this.reveal(this.board.typed) },
      { text: t("nav.rules"), sign: "book", href: `/rules/${game.name}` },
      state.can.help && { text: t("nav.analyse"), sign: "lens", href: `/analyse/${game.name}?match=${this.number}` },
      { text: t("invite.watch.title"), sign: "eye", act: () => this.reveal(this.watch) },
      { text: t("embed.title"), sign: "code", act: () => this.reveal(this.embed) },
      state.can.abort && { text: t("clock.abort"), sign: "close", act: () => this.ask("abort", {}) },
      Boolean(this.snapshot.dice) && { text: t("dice.fair"), sign: "dice", act: () => this.reveal(this.parts.fair) },
      { text: t("match.new"), sign: "plus", act: () => startDialog(this.game, this.go) },
    ];
    return items.filter((item) => item !== false);
  }

  /**
   * Opens a part of the last tab.
   *
   * @param {Element} part
   */
  reveal(part) {
    this.tabs.choose("more");
    const fold = part.matches("details") ? part : part.querySelector("details");
    fold?.setAttribute("open", "");
    const first = part.querySelector("summary, input");
    if (first instanceof HTMLElement) first.focus();
  }

  /** Adds the part of correspondence matches. */
  async addSlow() {
    const [{ SlowPart }] = await Promise.all([
      import("./slow/slow-part.js"),
      needSentences("correspondence"),
      styles("online/correspondence"),
    ]);
    this.slow = new SlowPart(this);
    this.parts.slow.replaceChildren(this.slow.element);
    this.slow.update(this.clocks.now);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  get canAct() {
    return this.state.is_my_turn && !this.state.result && !this.pending && this.moment === null;
  }

  /** Whether the visitor, who plays one side, waits for others to act. */
  get isWaiting() {
    const { state, snapshot } = this;
    const isLive = !state.result && !snapshot.seats.some((seat) => seat.kind === "open");
    return isLive && !state.is_my_turn && !this.pending && this.moment === null && mineOf(snapshot).length === 1;
  }

  /** The player for whom the computer is choosing in the state that is drawn, or null. */
  get thinker() {
    return this.state.result ? null : this.thinking.player(this.snapshot.seq);
  }

  /** Why the computer's turn takes long, or null. */
  get delay() {
    return this.thinking.delay(this.snapshot.seq);
  }

  /** Draws all of the present state. */
  draw({ isBack = false } = {}) {
    this.moment = null;
    this.shown = this.state;
    if (this.state.result) this.board.ahead = [];
    this.board.show(this.state, { isBack, canAct: this.canAct });
    if (this.canAct && this.board.ahead.length) this.board.useAhead();
    this.drawStatus();
    this.drawSide();
    this.loadValues();
  }

  drawStatus() {
    this.card.show(said(this));
    this.attention.update(this.state.is_my_turn && !this.state.result && mineOf(this.snapshot).length === 1);
    const isShared = this.snapshot.seats.some((seat) => seat.kind !== "computer" && !seat.is_mine);
    const isIdle = this.state.result ? true : isShared && !this.state.is_my_turn;
    this.next.update(isIdle && mineOf(this.snapshot).length > 0);
  }

  drawSide() {
    const { state, parts, snapshot } = this;
    const count = state.history.length;
    const moment = this.moment ?? count;
    this.drawSeats();
    this.drawOffer();
    this.slow?.update(this.clocks.now);
    this.history.players = state.history.map(({ player }) => player);
    this.history.show(this.rounds, count, moment);
    this.momentBar.update(moment, count);
    this.graph.turnTo(this.line().actions);
    this.graph.update(count, moment);
    this.board.listStacks(parts.stacks, state);
    this.controls.update(state, snapshot);
    this.board.typed.hidden = !mineOf(snapshot).length || Boolean(state.result);
    if (!state.can.help || state.older) this.graph.element.hidden = true;
    this.values.hidden = !state.can.help;
    this.noValues.hidden = state.can.help;
    parts.fair.replaceChildren(...fairFold(parts.fair, this.number, snapshot.dice, state.seed));
  }

  drawSeats() {
    const { snapshot, state, drawing, game } = this;
    const isTurned = drawing.view === "flat" && this.board.board.turn === 2;
    const { above, below } = seating(snapshot.seats, isTurned);
    const clock = (/** @type {string} */ player) => this.clocks.face(player);
    const more = (/** @type {SeatData} */ seat) => this.personMore(seat);
    this.above.replaceChildren(...playerCards(above, state, drawing, game, this.thinker, snapshot, clock, more));
    this.below.replaceChildren(...playerCards(below, state, drawing, game, this.thinker, snapshot, clock, more));
    const isOpen = Object.keys(snapshot.invitations).join();
    if (this.parts.invitations.dataset.open !== isOpen)
      this.parts.invitations.replaceChildren(...invitations(snapshot));
    this.parts.invitations.dataset.open = isOpen;
  }

  /**
   * Makes the button at the name of another player.
   *
   * @param {SeatData} seat
   */
  personMore(seat) {
    const avoided = this.chat.chat.whole?.avoided[seat.player];
    const { account = null } = seat;
    return personButton({
      name: seat.nickname ?? seat.name,
      account,
      who: { match: this.number, player: seat.player },
      avoided,
    });
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

  /** Draws the mistakes, and the course of a game that is over for its players; they are shown it without asking. */
  drawCourse() {
    const { graph, snapshot } = this;
    const count = this.state.history.length;
    this.parts.mistakes.replaceChildren(...(graph.element.open && !graph.element.hidden ? graph.mistakeList() : []));
    const { result, can, older } = this.state;
    if (!result || !can.help || older || !count || !mineOf(snapshot).length) return;
    const line = this.line().actions.join(" ");
    if (graph.steps.length <= count && this.reviewed !== line) {
      this.reviewed = line; // once
      graph.load();
    }
    const all = this.rounds;
    this.parts.course.replaceChildren(
      courseFigure({
        steps: graph.steps,
        isWhole: graph.isDone || Boolean(graph.problem),
        mistakes: graph.isDone ? graph.mistakes : [],
        count,
        players: snapshot.seats,
        me: Math.max(
          0,
          snapshot.seats.findIndex((seat) => seat.is_mine),
        ),
        roundOf: (moment) => roundOf(all, moment),
        goTo: (moment) => this.goTo(moment),
      }),
    );
  }

  // Earlier moments --------------------------------------------------------------------------------------------------

  get rounds() {
    const players = this.snapshot.seats.map(({ player }) => player);
    return rounds(byTurn(this.state.history, players, this.state.result ? "" : this.state.mover), players);
  }

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
    if (state.older) {
      this.board.say(t("moment.too_long"));
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
    this.drawSide();
    speak(t("moment.after", { count: moment, all: count }));
  }

  /** Says why nothing can be chosen now. */
  refuse() {
    if (this.moment !== null) this.board.say(t("moment.past"));
    else if (this.pending || this.state.result) return;
    else if (!mineOf(this.snapshot).length) this.board.say(t("match.watching"));
    else if (setting("ahead") && this.game.has_chance && this.isWaiting) this.board.say(t("ahead.dice"));
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

  /** Shows a hint with its reason: in the coach's words, or at the board where the coach is hidden. */
  async hint() {
    const tellHint = (/** @type {string} */ text, isLasting = false) => {
      if (this.card.hint(text)) speak(text);
      else this.board.say(text, isLasting);
    };
    const { state } = this;
    tellHint(t("hint.wait"), true);
    try {
      const { action, reason } = await api.hint(this.number);
      if (this.state !== state) return;
      this.board.point(action);
      const name = state.actions.find((each) => each.action === action)?.name ?? action;
      tellHint(t("hint.text", { action: name, reason: reason ?? "" }), true);
    } catch (error) {
      tellHint(sentenceOf(error));
    }
  }

  /** @param {number} by quarter turns */
  turn(by) {
    this.board.setTurn(this.board.board.turn + by);
    this.drawSeats();
  }

  /** @param {string} name of a setting */
  changed(name) {
    if (name === "notation") this.drawSide();
    if (name === "chat") this.chat.looked();
    if (name === "values" || name === "distance") this.loadValues();
    if (name === "coach" && setting("coach") !== "auto") this.card.setCoached(setting("coach") === "on");
    if (name === "ahead" && !setting("ahead")) this.board.dropAhead("");
  }

  loadValues() {
    if (this.state.can.help && (this.state.is_my_turn || !setting("values"))) this.known.look(this.state, this.line());
    else this.known.clear();
  }

  // Hearing ----------------------------------------------------------------------------------------------------------

  /**
   * @param {boolean} isConnected
   * @param {string} why the server's sentence, if it has closed the connection with one
   */
  connected(isConnected, why) {
    if (isConnected === this.isConnected && why === this.closed) return;
    this.isConnected = isConnected;
    this.closed = why;
    speak(isConnected ? t("live.connected") : why || t("live.lost"));
    document.body.classList.toggle("offline", !isConnected);
    this.drawStatus();
  }

  /** @param {MatchSnapshot} snapshot */
  renew(snapshot) {
    this.queue.clear();
    const isSame = this.snapshot.seq === snapshot.seq && !this.pending;
    const { rematch } = this.state;
    this.snapshot = snapshot;
    this.clocks.renew(snapshot);
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

  /** @param {Happened} message */
  happen(message) {
    const { event, state, seq } = message;
    const before = this.state;
    this.snapshot.seq = seq;
    this.state = state;
    if (event.kind === "rematch" && this.follow(state)) return;
    this.pending = null;
    this.thinking.note(seq, event.kind);
    this.board.say("");
    if (event.kind === "roll") this.board.dropAhead(t("ahead.rolled"));
    if (event.kind === "undo") this.board.dropAhead(t("ahead.gone"));
    this.draw({ isBack: event.kind === "undo" });
    tell(message, before, {
      snapshot: this.snapshot,
      drawing: this.drawing,
      say: (text) => this.board.say(text),
      title: this.card.title.textContent ?? "",
    });
    if (event.kind === "seat") this.refresh();
  }

  async refresh() {
    const snapshot = await api.match(this.number).catch(() => null);
    if (!snapshot) return;
    this.snapshot = { ...snapshot, seq: this.snapshot.seq };
    this.clocks.renew(this.snapshot);
    this.drawStatus();
    this.drawSide();
  }

  /** @param {Notice} message */
  hear(message) {
    if (message.type === "chat" || message.type === "said" || message.type === "unsaid") {
      this.chat.hear(message);
      if (message.type === "chat") this.drawSeats();
      return;
    }
    const after = this.queue.last ?? this.snapshot.seq;
    if (message.type === "thinking") this.thinking.begin(message.player, after);
    if (message.type === "delayed") {
      if (this.delay !== message.why) speak(t(`match.delayed.${message.why}`));
      this.thinking.begin(message.player, after, message.why);
    }
    if (message.type === "here") {
      for (const seat of this.snapshot.seats) seat.is_here = message.seats.includes(seat.player);
      this.clocks.set(message.clocks ?? null, this.state.result);
    }
    if (message.type === "ratings") {
      this.snapshot.ratings = message;
      speak(changeSentence(this.snapshot));
    }
    if (message.type === "names")
      for (const seat of this.snapshot.seats)
        if (seat.player in message.nicknames) {
          seat.nickname = message.nicknames[seat.player];
          seat.account = message.account;
        }
    this.drawStatus();
    this.drawSide();
  }
}

/**
 * Calls `back` whenever the page is seen again; returns what ends that.
 *
 * @param {() => void} back
 */
function onReturn(back) {
  const listen = () => !document.hidden && back();
  document.addEventListener("visibilitychange", listen);
  return () => document.removeEventListener("visibilitychange", listen);
}

/** @param {MatchSnapshot} snapshot */
const mineOf = (snapshot) => snapshot.seats.filter((seat) => seat.is_mine);
