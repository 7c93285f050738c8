// Written by tools/client_types.py from openapi.json: change the models in damier/server/wire instead.

/** What the visitor can do now, besides playing. */
export interface Abilities {
  undo: boolean;
  resign: boolean;
  offer_draw: boolean;
  /** Whether the match can be stopped without a result. */
  abort: boolean;
  answer: boolean;
  withdraw: boolean;
  rematch: boolean;
  /** Whether hints and values are answered. */
  help: boolean;
}

/** The match was stopped without a result, by a player or because a first turn was not made in time. */
export interface AbortEvent {
  kind: "abort";
  player?: string | null;
}

/** Stops the match without a result, before each player has had a turn. */
export interface AbortRequest {
  id: string;
  do: "abort";
}

/** A player has accepted an offer that others have yet to answer. */
export interface AcceptEvent {
  kind: "accept";
  player: string;
  what: "draw" | "undo" | "rematch";
}

/** Accepts a seek on one of its terms, given by its place. */
export interface AcceptSeek {
  terms?: number;
}

/** The match that an accepted seek has begun. */
export interface Accepted {
  match: string;
}

/** One's own account. */
export interface AccountData {
  name: string;
  is_program: boolean;
  is_moderator: boolean;
  /** A time; null if the account is not banned. */
  banned_until: string | null;
  /** For notices; empty if none was given. */
  email: string;
  has_password: boolean;
  /** How many are left. */
  recovery_codes: number;
  created: string;
}

/** Deletes an account. */
export interface AccountDeletion {
  /** The account's own, typed again. */
  name: string;
  /** Needed if the account has one. */
  password?: string | null;
}

/** A legal action; `cells` are to be chosen in order, `@` being the hand. */
export interface ActionData {
  action: string;
  cells: string[];
  /** The text of a button; left out where the action itself is the text. */
  name?: string | null;
  points?: number | null;
}

/** Actions of equal value. */
export interface ActionGroup {
  value: OutcomeFact;
  actions: string[];
}

/** The cells of one action. */
export interface ActionMarksData {
  player: string;
  action: string;
  routes: RouteData[];
  /** Further cells on which pieces came, went or changed hands, such as those of a chain reaction. */
  changed: string[];
}

/** The value of an action or a line, for the player on move. */
export interface ActionValue {
  /** Null where nothing is forced. */
  value: "win" | "draw" | "loss" | null;
  distance: number | null;
  unit: "plies";
  /** How many of those plies are of the player on move; null where players do not act by turns, one action each. */
  own_moves: number | null;
  chance: number;
  /** Certain in the game that is played: not an estimate, and not spoilt by what was played before. */
  is_proved: boolean;
  text: string;
}

/** The values of all legal actions. */
export interface ActionValues {
  /** From a table, not estimated by a search. */
  is_from_table: boolean;
  /** From a table, and all of them proved. */
  is_exact: boolean;
  values: Record<string, ActionValue>;
  /** A sentence to show with values of a table that are not all proved. */
  note: string | null;
}

/** Nothing happened for a while, and the connection works. */
export interface AliveMessage {
  type: "alive";
}

/** A line of play with its value; it can be played to its end. */
export interface AnalysisLine {
  /** Null where nothing is forced. */
  value: "win" | "draw" | "loss" | null;
  distance: number | null;
  unit: "plies";
  /** How many of those plies are of the player on move; null where players do not act by turns, one action each. */
  own_moves: number | null;
  chance: number;
  /** Certain in the game that is played: not an estimate, and not spoilt by what was played before. */
  is_proved: boolean;
  text: string;
  actions: string[];
  /** The same actions by turn. */
  turns: string[][];
  /** The ways of pieces in the first action, to draw it on the board. */
  routes: RouteData[];
}

export type AnalysisMessage = AnalysisUpdate | AnalysisOver | AnalysisRefused;

/** There is nothing to analyse: the game is over. */
export interface AnalysisOver {
  id: string;
  lines: AnalysisLine[];
  is_done: true;
}

/** Asks for the best lines of a position; the query before it is cancelled. */
export interface AnalysisQuery {
  game: string;
  options?: Record<string, number | string>;
  /** A position string; null is the first position of the game. */
  start?: string | null;
  actions?: string[];
  id?: string;
  lines?: number;
}

/** A query was refused. */
export interface AnalysisRefused {
  /** One sentence. */
  error: string;
  id: string;
}

export type AnalysisRequest = AnalysisQuery | AnalysisStop;

/** Cancels the query before it. */
export interface AnalysisStop {
  id?: string;
}

/** What a search has found so far. */
export interface AnalysisUpdate {
  id: string;
  is_from_table: boolean;
  /** From a table, and all values proved. */
  is_exact: boolean;
  depth: number;
  nodes: number;
  nodes_per_second: number;
  /** The winning chance of each player. */
  chances: number[];
  lines: AnalysisLine[];
  /** A sentence to show with values of a table that are not all proved. */
  note: string | null;
  is_done: boolean;
}

/** Answers an offer. */
export interface AnswerRequest {
  id: string;
  do: "answer";
  yes: boolean;
}

/** What a visitor tried to do: an action, or the cells that were chosen. */
export interface Attempt {
  action?: string | null;
  cells?: string[];
}

/** Somebody whom the visitor has muted or blocked. */
export interface AvoidedData {
  number: string;
  name: string;
  account: string | null;
  kind: "mute" | "block";
  since: string;
}

/** A player of the match whom the visitor has muted or blocked. */
export interface AvoidedPlayer {
  /** Of the entry in the visitor's list. */
  number: string;
  kind: "mute" | "block";
}

/** The person plays in a match: it has begun, or it was being played when the stream was opened. */
export interface BegunMessage {
  type: "begun";
  match: MatchSummary;
}

/** A won or lost position played out with best play by both. */
export interface BestPlay {
  start: string;
  actions: string[];
  winner: string;
  forbidden: number | null;
}

/** SVG fragments that draw marks and special cells, and the grain of the wood. */
export interface BoardArtworkData {
  marks: Record<string, string>;
  /** By kind of cell. */
  cells: Record<string, string>;
  /** By cell: cubic curves of four points. */
  grain: Record<string, (([number, number])[])[]>;
}

/** A position as a board shows it. */
export interface BoardState {
  position: string;
  pieces: LabelledPiece[];
  /** By cell. */
  marks: Record<string, string[]>;
  /** By player: what to say of the pieces in hand. */
  hands: Record<string, string>;
  hand_counts: Record<string, number>;
  captions: string[];
  waiting: WaitingPiece[];
  /** The cells whose pieces made the win. */
  winning: string[];
  /** The points of the die that lies on the table. */
  die: number | null;
  result: ResultData | null;
}

/** How far the building of a table is. */
export interface BuildProgress {
  share: number;
  /** Time left, if it can be estimated. */
  seconds: number | null;
}

/** A cell of the board; lengths are in cells, (0, 0) is the upper left corner. */
export interface CellData {
  name: string;
  x: number;
  y: number;
  outline: ([number, number])[];
  kind: string;
  /** The token of its colour in the palette. */
  fill: string;
  can_hold: boolean;
  has_grain: boolean;
}

/** An option that takes some of `cells`, separated by commas. */
export interface CellsOption {
  name: string;
  /** The label for a form. */
  title: string;
  /** The option in a list of options, with `{value}` for its value. */
  phrase: string;
  help: string;
  /** Values in words, by value; for none or for all. */
  names: Record<string, string>;
  type: "cells";
  default: string;
  cells: string[];
  /** The values of other options that this one goes with. */
  needs: Record<string, string>;
  /** The cell that is chosen along with each cell. */
  partners: Record<string, string>;
}

/** Somebody challenges the person. */
export interface ChallengeMessage {
  type: "challenge";
  seek: SeekData;
}

/** A value for the player who rolls: the chance to win with best play. */
export interface ChanceFact {
  outcome: "chance";
  chance: number;
}

/** What a table of chances tells of its game. */
export interface ChanceSolution {
  game: string;
  options: Record<string, number>;
  metric: "probability";
  repetition: "free" | "draws" | "forbidden";
  value: ChanceFact;
  player: string;
  table: TableFacts;
  commands: ReportCommands;
  open?: UnsolvedOptions[];
  verified?: VerificationFacts | null;
  chance: number;
  error: number;
  actions: number;
  tiers: ChanceTier[];
  parts: number[];
  rolls: RollGroup[];
  answers: RollAnswers;
  cost: ChoiceCosts;
}

/** A solved game with a die, in a list. */
export interface ChanceSummary {
  options: Record<string, number | string>;
  metric: "probability";
  repetition: "free" | "draws" | "forbidden";
  value: ChanceFact;
  player: string;
  chance: number;
  error: number;
  verified: VerificationFacts | null;
  entries: number;
  bytes: number;
}

/** One part of the table: the most actions expected until the end, and the largest error before rounding. */
export interface ChanceTier {
  name: string;
  entries: number;
  actions: number;
  error: number;
}

/** A message that somebody has written. */
export interface ChatLine {
  number: number;
  room: "players" | "spectators";
  /** Of the author, as others see them now. */
  name: string;
  /** The name of the author's account; null for a guest. */
  account: string | null;
  /** The player that the author is; null for a spectator. */
  player: string | null;
  is_mine: boolean;
  /** The key of a ready-made phrase; null for text of the author's own. */
  phrase: string | null;
  /** Plain text; a phrase in the reader's language. */
  text: string;
  at: string;
}

/** The chat of a match as a visitor may read it: first, and again when what the visitor may read has changed. */
export interface ChatMessage {
  type: "chat";
  /** Those that the visitor reads and may write in, their own first. */
  rooms: ("players" | "spectators")[];
  /** False for guests, who have phrases only. */
  may_write_text: boolean;
  /** Until when a moderator has stopped the visitor's messages; null if that is over, or nobody has. */
  silent_until: string | null;
  phrases: PhraseData[];
  /** By player. */
  avoided: Record<string, AvoidedPlayer>;
  /** The last ones of each room, the oldest first. */
  lines: ChatLine[];
}

/** What choosing another action than the best costs in a random sample of positions and rolls. */
export interface ChoiceCosts {
  seed: number;
  size: number;
  lost: number;
  forced: number;
  second: number;
  other: number;
  much: number;
  costly: number;
  examples: CostlyChoice[];
}

/** An option that takes one of `choices`. */
export interface ChoiceOption {
  name: string;
  /** The label for a form. */
  title: string;
  /** The option in a list of options, with `{value}` for its value. */
  phrase: string;
  help: string;
  /** Values in words, by value; for none or for all. */
  names: Record<string, string>;
  type: "choice";
  default: string;
  choices: string[];
}

/** A player has claimed a win or a draw over one who has left. */
export interface ClaimEvent {
  kind: "claim";
  player: string;
  absent: string;
  what: "win" | "draw";
}

/** Claims a win or a draw over a player who has left on their own turn. */
export interface ClaimRequest {
  id: string;
  do: "claim";
  what: "win" | "draw";
}

/** A time control, in seconds. */
export interface ClockTerms {
  kind: "live" | "correspondence";
  /** At the start. */
  base: number;
  /** What a turn adds. */
  increment?: number;
  /** How much of every turn is free; for games with a die. */
  delay?: number;
  /** How much a turn may fill a clock up to; for correspondence. */
  cap?: number | null;
}

/** What the clocks show when the message is sent, in milliseconds. */
export interface ClocksData {
  /** By player. */
  left: Record<string, number>;
  /** The player whose time runs. */
  running: string | null;
  /** How long the running clock still stands because of the delay. */
  free: number;
  /** How long the first turn may still take, after which the match is aborted; null when the clocks run. */
  first: number | null;
  /** After how long the others may claim the game, because the player to act has left; null if that one is here. */
  claim: number | null;
  /** How long players are still on vacation, by player: their clocks stand still. */
  away: Record<string, number>;
}

/** A seat of the computer. */
export interface ComputerSeat {
  level: number;
}

/** The conditional turns of a player, which nobody else sees. */
export interface ConditionalData {
  /** The present turn of the match. */
  turn: number;
  /** How many actions of the match come before that turn. */
  base: number;
  /** Whether turns can be entered now: while the other player is to act. */
  can_enter: boolean;
  lines: string[][][];
  most_lines: number;
  /** Of a line. */
  most_answers: number;
}

/** The conditional turns of a player, instead of those before. */
export interface ConditionalRequest {
  /** The turn that the other player is to make, as the state of the match has it: lines begin with it. */
  turn: number;
  /** Each has whole turns: the other player's, one's own, and so on; it ends with one's own. */
  lines: string[][][];
}

/** A position after a roll with the values of all actions, best first. */
export interface CostlyChoice {
  position: string;
  player: string;
  values: ([string, number])[];
}

/** A player has declined an offer. */
export interface DeclineEvent {
  kind: "decline";
  player: string;
  what: "draw" | "undo" | "rematch";
}

/** Somebody has declined the visitor's challenge. */
export interface DeclinedMessage {
  type: "declined";
  seek: string;
  name: string;
}

/** The computer's turn is late and will still come. */
export interface DelayedMessage {
  type: "delayed";
  player: string;
  /** All engines are busy, or the engine failed and is tried again. */
  why: "busy" | "failed";
}

/** The rolls of a match, and what proves that they were fair. */
export interface DiceData {
  hash: string;
  /** Null until the game is over. */
  seed: string | null;
  rolls: string[];
}

/** A request was carried out. */
export interface DoneMessage {
  type: "done";
  id: string;
  seq: number;
}

/** The players have agreed on a draw. */
export interface DrawEvent {
  kind: "draw";
}

/** Offers a draw. */
export interface DrawRequest {
  id: string;
  do: "offer_draw";
}

/** The empty board of a game, and how its pieces look. */
export interface DrawingData {
  width: number;
  height: number;
  /** `flat`, or `isometric` for boards with stacks. */
  view: string;
  has_hands: boolean;
  cells: CellData[];
  /** By player. */
  looks: Record<string, LookData>;
  artwork: BoardArtworkData;
  /** How a mark of a piece or a cell is called, by name. */
  marks: Record<string, string>;
  /** A legal action, as players write it. */
  example: string;
  /** The points of the die by chance action; empty without a die. */
  rolls: Record<string, number>;
  /** The aim of the game in one sentence. */
  aim: string;
  /** A position in which the aim is reached. */
  goal: GoalData | null;
  /** What a mark of a piece or a cell means, by the names of `marks`. */
  legend: Record<string, string>;
}

/** Sets the address for notices; empty for none. */
export interface EmailChange {
  email: string;
}

/** Where e-mails of an account go. */
export interface EmailState {
  /** Empty for none, and for guests. */
  address: string;
  is_confirmed: boolean;
}

/** The last line of a stream that the server ends. */
export interface EndMessage {
  type: "end";
  /** A newer stream has taken its place, the person is signed out, the client reads too slowly, the server stops, or it failed. */
  why: "newer" | "signed_out" | "slow" | "stopping" | "failed";
  /** One sentence. */
  error: string;
}

/** The answer to a refused request. */
export interface ErrorAnswer {
  /** One sentence. */
  error: string;
}

/** Something happened; `seq` counts events without gaps. */
export interface EventMessage {
  type: "event";
  seq: number;
  event: PlayEvent | RollEvent | UndoEvent | ResignEvent | DrawEvent | FlagEvent | AbortEvent | ClaimEvent | OfferEvent | AcceptEvent | DeclineEvent | WithdrawEvent | RematchEvent | SeatEvent | VacationEvent | ReturnEvent;
  history: HistoryChange;
  clocks: ClocksData | null;
  state: EventState;
}

/** The state of a match for one visitor after an event; what is new in its history is said beside it. */
export interface EventState {
  position: string;
  pieces: LabelledPiece[];
  /** By cell. */
  marks: Record<string, string[]>;
  /** By player: what to say of the pieces in hand. */
  hands: Record<string, string>;
  hand_counts: Record<string, number>;
  captions: string[];
  waiting: WaitingPiece[];
  /** The cells whose pieces made the win. */
  winning: string[];
  /** The points of the die that lies on the table. */
  die: number | null;
  result: ResultData | null;
  mover: string;
  turn: number;
  last: LastAction | null;
  /** What the board marks, the oldest first. For a player of a match, the last turn of every opponent since the player's own; otherwise the last turn. */
  last_turns: TurnMarksData[];
  mover_name: string | null;
  actions: ActionData[];
  /** Null when the game is over or the die is due. */
  guide: GuideData | null;
  /** The seed of the rolls, once the game is over. */
  seed: string | null;
  /** The number of the match that follows. */
  rematch: string | null;
  is_my_turn: boolean;
  offer: OfferData | null;
  can: Abilities;
}

/** The last action of an example state. */
export interface ExampleAction {
  cells: string[];
}

/** Some moments of a game that plays itself. */
export interface ExampleData {
  drawing: DrawingData;
  states: ExampleState[];
}

/** A moment of an example game. */
export interface ExampleState {
  pieces: PieceData[];
  marks: Record<string, string[]>;
  last: ExampleAction | null;
  last_turns: TurnMarksData[];
}

/** Nobody can force a win within `plies` from the first position; `winner` can in one ply more, if given. */
export interface FirstPositionFacts {
  plies: number;
  winner: string | null;
}

/** The time of a player has run out. */
export interface FlagEvent {
  kind: "flag";
  player: string;
}

/** A game with its options. */
export interface GameChoice {
  game: string;
  options?: Record<string, number | string>;
}

/** A game, with its options and levels. */
export interface GameData {
  name: string;
  title: string;
  summary: string;
  /** All players that there may be; how many play may depend on options. */
  players: PlayerName[];
  options: (IntegerOption | ChoiceOption | CellsOption)[];
  levels: LevelName[];
  has_chance: boolean;
  /** What is proved about the game, in one sentence. */
  solved: string | null;
  has_example: boolean;
  /** A board after some actions, as SVG. */
  picture: string;
}

/** A game given whole: where it starts and the actions played since. */
export interface GameLine {
  game: string;
  options?: Record<string, number | string>;
  /** A position string; null is the first position of the game. */
  start?: string | null;
  actions?: string[];
}

/** The moments of a game given whole: before the first action and after each. */
export interface GameMoments {
  states: MomentState[];
}

/** Everything known of a game, the usual options first. */
export interface GameSolutions {
  game: string;
  title: string;
  summary: string;
  players: Record<string, string>;
  usual: Record<string, number | string>;
  solutions: (OutcomeSolution | ChanceSolution | UnsolvedGame)[];
  /** The names of the parts of the tables in the visitor's language, by their names in the facts. */
  tier_names: Record<string, string>;
}

/** A small picture of the aim. */
export interface GoalData {
  pieces: PieceData[];
  /** The cells whose pieces made the win. */
  winning: string[];
}

/** A notice is no longer current. */
export interface GoneMessage {
  type: "gone";
  tag: string;
}

/** What the player on move can do, in neutral sentences. */
export interface GuideData {
  /** The part of the game or of the turn: "Placing: 3 bombs left". */
  phase: string | null;
  /** What to do, without a full stop: "Place a bomb on an empty cell". */
  title: string;
  /** How, in one or two sentences. */
  text: string;
  /** What to choose next, by the cells clicked so far, joined by spaces; `@` is the hand. */
  next: Record<string, string>;
}

/** One good action. */
export interface HintData {
  action: string;
  reason: string | null;
}

/** What an event changes in the history: `kept` actions of all that were played stay, then `added` follow. */
export interface HistoryChange {
  kept: number;
  added: HistoryEntry[];
}

/** An action that was played. */
export interface HistoryEntry {
  action: string;
  player: string;
  turn: number;
  points?: number | null;
}

/** An option that takes a whole number from `low` to `high`. */
export interface IntegerOption {
  name: string;
  /** The label for a form. */
  title: string;
  /** The option in a list of options, with `{value}` for its value. */
  phrase: string;
  help: string;
  /** Values in words, by value; for none or for all. */
  names: Record<string, string>;
  type: "integer";
  default: number;
  low: number;
  high: number;
}

/** By which channels notices of a kind are sent. */
export interface KindSwitches {
  kind: "turn" | "reminder" | "challenge" | "answer" | "seek" | "tournament" | "over";
  push: boolean;
  email: boolean;
}

/** A piece on the board, with its description for screen readers. */
export interface LabelledPiece {
  player: string;
  cell: string;
  /** The number of pieces under it. */
  level: number;
  marks: string[];
  label: string;
}

/** The action that led to a state. */
export interface LastAction {
  action: string;
  cells: string[];
  player: string;
  points?: number | null;
}

/** A page of the best accounts of a pool. */
export interface Leaderboard {
  pool: string;
  page: number;
  pages: number;
  entries: LeaderboardEntry[];
  /** The deviation up to which a rating is listed. */
  most_deviation: number;
}

/** A line of a leaderboard. */
export interface LeaderboardEntry {
  place: number;
  name: string;
  is_program: boolean;
  value: number;
  deviation: number;
  games: number;
  /** When the last game ended. */
  at: string;
}

/** What a learner did in a step: actions, the cell asked for, or cells that no legal action has. */
export interface LessonAnswer {
  actions?: string[];
  cell?: string | null;
  cells?: string[];
}

/** The game with some options: variants have their own boards. */
export interface LessonBoard {
  options: Record<string, number | string>;
  drawing: DrawingData;
}

/** The lesson of a game. */
export interface LessonData {
  game: string;
  title: string;
  boards: LessonBoard[];
  steps: LessonStepData[];
  /** The steps that the progress of learners once called 1, 2, 3 and so on. */
  numbered: string[];
}

/** A right answer: the cells to choose for it, its actions with their names, and the board after each. */
export interface LessonSolution {
  actions: string[];
  names: string[];
  cells: string[];
  states: PlayState[];
}

/** A step of a lesson, without the answer. */
export interface LessonStepData {
  id: string;
  chapter: "basics" | "tactics" | "details" | "variants";
  /** Its place in the boards of the lesson. */
  board: number;
  title: string;
  text: string;
  kind: "read" | "cell" | "action" | "any" | "refused";
  /** To highlight. */
  cells: string[];
  hint: string | null;
  /** Actions without cells that can be tried. */
  buttons: ActionData[];
  start: string;
  actions: string[];
  state: PlayState;
}

/** The ids of the steps of a lesson: enough to tell how much of it is done. */
export interface LessonSteps {
  steps: string[];
  basics: string[];
  numbered: string[];
}

/** The verdict on an answer, with the board after it and after the opponent's replies. */
export interface LessonVerdictData {
  status: "right" | "go_on" | "wrong";
  sentence: string;
  state: PlayState;
  replies: PlayState[];
}

/** A level of the computer. */
export interface LevelName {
  level: number;
  name: string;
  /** As measured with the usual options; null if it has not been, or not well enough. */
  rating: number | null;
  /** Half the width of its 95 % interval; 0 for the level that the others are measured from. */
  rating_error: number | null;
}

/** The answer to a request beyond a limit. */
export interface LimitAnswer {
  /** One sentence. */
  error: string;
  /** Its name; most are settings of the server. */
  limit: string;
  /** After which a request may be accepted. */
  seconds: number;
}

/** A game given whole, and what a visitor tried to do in it. */
export interface LineAttempt {
  action?: string | null;
  cells?: string[];
  game: string;
  options?: Record<string, number | string>;
  /** A position string; null is the first position of the game. */
  start?: string | null;
  actions?: string[];
}

/** A match in a list; nothing of it is replayed. */
export interface ListedMatch {
  number: string;
  game: string;
  options: Record<string, number | string>;
  created: string;
  updated: string;
  ended: string | null;
  seats: ListedSeat[];
  /** The player on move; null when the game is over. */
  mover: string | null;
  is_my_turn: boolean;
  /** Of the visitor; `aborted` has no result; `over` for who holds several seats or none. */
  outcome: "won" | "lost" | "drawn" | "aborted" | "over" | null;
  winner: string | null;
  /** The code of the end, such as `resignation`. */
  reason: string | null;
  clock: ClockTerms | null;
  is_rated: boolean;
}

/** Who plays for one of the players, in a list of matches. */
export interface ListedSeat {
  player: string;
  /** Of the player. */
  name: string;
  kind: "person" | "computer" | "open";
  person: LobbyPerson | null;
  level: number | null;
  is_mine: boolean;
}

/** What has changed since the version before. */
export interface LobbyChangeMessage {
  type: "change";
  version: number;
  added: SeekData[];
  removed: string[];
  counts: LobbyCounts | null;
  /** By game, where it has changed; null: nothing is played any more. */
  playing: Record<string, PlayingData | null>;
}

/** How many are there. */
export interface LobbyCounts {
  people: number;
  /** That are played and may be watched. */
  matches: number;
  /** Open ones by game. */
  seeks: Record<string, number>;
}

export type LobbyMessage = LobbyStateMessage | LobbyChangeMessage | MineMessage | PairedMessage | DeclinedMessage | AliveMessage;

/** A person as others see them. */
export interface LobbyPerson {
  name: string;
  is_program: boolean;
  has_account: boolean;
}

/** A sign of life of a page; the server does not answer it. */
export interface LobbyRequest {
  do: "stay";
}

/** The lobby as everybody sees it. */
export interface LobbyState {
  version: number;
  counts: LobbyCounts;
  seeks: SeekData[];
  /** The best match of each game. */
  playing: Record<string, PlayingData>;
  weekly: WeeklyData | null;
}

/** The whole lobby: the first message of a connection, and the next one for a client that fell behind. */
export interface LobbyStateMessage {
  version: number;
  counts: LobbyCounts;
  seeks: SeekData[];
  /** The best match of each game. */
  playing: Record<string, PlayingData>;
  weekly: WeeklyData | null;
  type: "state";
}

/** What a moderator has done. */
export interface LogEntry {
  at: string;
  moderator: string;
  /** Of whom it was done to, before it; empty if they are gone. */
  name: string;
  what: "dismiss" | "silence" | "remove" | "rename" | "ban";
  /** Until when, the message that was removed, or the new name. */
  detail: string;
  why: string;
  match: string | null;
}

/** The positions farthest from the end: how far, how many, and some of them played out. */
export interface LongestWins {
  plies: number;
  positions: number;
  lines: BestPlay[];
}

/** How the pieces of one player look. */
export interface LookData {
  name: string;
  shape: string;
  colour: string;
  pattern: string;
  letter: string;
  artwork: PieceArtworkData;
}

/** A new token, which is shown once. */
export interface MadeToken {
  number: string;
  label: string;
  scopes: ("read" | "play" | "challenge" | "tournament")[];
  created: string;
  /** When it was last used, to the hour. */
  used: string | null;
  token: string;
}

export type MatchLine = SnapshotMessage | EventMessage | ThinkingMessage | DelayedMessage | PresenceMessage | NamesMessage | RatingsMessage | ChatMessage | SaidMessage | UnsaidMessage | EndMessage;

export type MatchMessage = SnapshotMessage | EventMessage | ThinkingMessage | DelayedMessage | PresenceMessage | NamesMessage | PingMessage | RatingsMessage | ChatMessage | SaidMessage | UnsaidMessage | AliveMessage | DoneMessage | RefusedMessage;

/** A part of a list of matches. */
export interface MatchPage {
  matches: ListedMatch[];
  /** The cursor of the next part; null if this is the last one. */
  before: string | null;
}

/** What a rated match has changed, once it is over. */
export interface MatchRatings {
  /** By player. */
  changes: Record<string, RatingChangeData>;
  /** Why the game did not count: the same one again and again, or one of many that an absent player lost on time. */
  why_unrated: "repeated" | "timeouts" | null;
}

export type MatchRequest = PlayRequest | UndoRequest | ResignRequest | DrawRequest | AnswerRequest | WithdrawRequest | RematchRequest | AbortRequest | ClaimRequest | SayRequest | PongRequest;

/** A match as it stands, for one visitor. */
export interface MatchSnapshot {
  number: string;
  game: string;
  options: Record<string, number | string>;
  options_text: string;
  created: string;
  seats: SeatData[];
  /** By player; only for the visitor who began the match, while seats are open. */
  invitations: Record<string, string>;
  /** Whether hints, values and take-backs are allowed while the game is played. */
  has_help: boolean;
  clock: ClockTerms | null;
  is_rated: boolean;
  /** What the clocks show now; null without a clock. */
  clocks: ClocksData | null;
  /** What the match has changed in the ratings; null until it has been rated. */
  ratings: MatchRatings | null;
  dice: DiceData | null;
  seq: number;
  state: MatchState;
}

/** The state of a match for one visitor. */
export interface MatchState {
  position: string;
  pieces: LabelledPiece[];
  /** By cell. */
  marks: Record<string, string[]>;
  /** By player: what to say of the pieces in hand. */
  hands: Record<string, string>;
  hand_counts: Record<string, number>;
  captions: string[];
  waiting: WaitingPiece[];
  /** The cells whose pieces made the win. */
  winning: string[];
  /** The points of the die that lies on the table. */
  die: number | null;
  result: ResultData | null;
  mover: string;
  turn: number;
  last: LastAction | null;
  /** What the board marks, the oldest first. For a player of a match, the last turn of every opponent since the player's own; otherwise the last turn. */
  last_turns: TurnMarksData[];
  mover_name: string | null;
  actions: ActionData[];
  /** Null when the game is over or the die is due. */
  guide: GuideData | null;
  /** The seed of the rolls, once the game is over. */
  seed: string | null;
  /** The number of the match that follows. */
  rematch: string | null;
  is_my_turn: boolean;
  offer: OfferData | null;
  can: Abilities;
  /** The last actions, the oldest first. */
  history: HistoryEntry[];
  /** How many actions before those of `history` are left out. */
  older: number;
}

/** A match in a list. */
export interface MatchSummary {
  number: string;
  game: string;
  options: Record<string, number | string>;
  options_text: string;
  created: string;
  seats: SeatData[];
  clock: ClockTerms | null;
  is_rated: boolean;
  turn: number;
  mover: string;
  mover_name: string | null;
  is_my_turn: boolean;
  result: ResultData | null;
  pieces: LabelledPiece[];
  marks: Record<string, string[]>;
}

/** The visitor. */
export interface MeData {
  nickname: string;
}

/** The visitor's own open seeks, and the challenges to the visitor. */
export interface MineMessage {
  type: "mine";
  seeks: SeekData[];
  challenges: SeekData[];
}

/** Acts on a report; `dismiss` closes it, after other acts too. */
export interface ModerationAct {
  do: "dismiss" | "silence" | "remove" | "rename" | "ban";
  /** Needed for all but `dismiss`. */
  why?: string;
  /** Of a `silence`. */
  minutes?: 15 | 1440 | null;
  /** The message that `remove` takes away. */
  line?: number | null;
  /** That `rename` gives. */
  name?: string | null;
  /** Of a `ban`; null for good. */
  days?: number | null;
}

/** What moderators see. */
export interface ModerationData {
  /** How many reports wait in all. */
  waiting: number;
  /** Those that have waited longest. */
  reports: ReportData[];
  /** What was done last, the newest first. */
  log: LogEntry[];
}

/** A moment of a game given whole. */
export interface MomentState {
  position: string;
  pieces: LabelledPiece[];
  /** By cell. */
  marks: Record<string, string[]>;
  /** By player: what to say of the pieces in hand. */
  hands: Record<string, string>;
  hand_counts: Record<string, number>;
  captions: string[];
  waiting: WaitingPiece[];
  /** The cells whose pieces made the win. */
  winning: string[];
  /** The points of the die that lies on the table. */
  die: number | null;
  result: ResultData | null;
  mover: string;
  turn: number;
  last: LastAction | null;
  /** What the board marks, the oldest first. For a player of a match, the last turn of every opponent since the player's own; otherwise the last turn. */
  last_turns: TurnMarksData[];
}

/** Gives an account another name. */
export interface NameChange {
  name: string;
}

/** A visitor has another nickname. */
export interface NamesMessage {
  type: "names";
  /** By player, of the seats that the visitor holds. */
  nicknames: Record<string, string>;
  /** The name of the visitor's account; null for a guest. */
  account: string | null;
}

/** The account to make. */
export interface NewAccount {
  name: string;
  password: string;
  is_program?: boolean;
  /** What the browser has kept for the guest. */
  settings?: Record<string, unknown>;
}

/** Mutes or blocks somebody. */
export interface NewAvoided {
  who: PersonTarget;
  kind: "mute" | "block";
}

/** The match to begin: one seat for each player, in order. */
export interface NewMatch {
  game: string;
  options?: Record<string, number | string>;
  seats: ("me" | "open" | ComputerSeat)[];
  /** Whether hints, values and take-backs are allowed; they always are if no other person plays. */
  allows_help?: boolean;
  clock?: ClockTerms | null;
  is_rated?: boolean;
}

/** A browser that wants notices, as its `PushSubscription` describes itself. */
export interface NewPush {
  endpoint: string;
  keys: PushKeys;
}

/** Tells the moderators about somebody. */
export interface NewReport {
  who: PersonTarget;
  reason: "abuse" | "cheating" | "name" | "spam" | "stalling" | "other";
  words?: string;
}

/** A seek or a challenge to make. */
export interface NewSeek {
  kind?: "open" | "challenge" | "link";
  /** The name of the account that is challenged. */
  rival?: string | null;
  /** Any of these, those liked best first. */
  terms: TermsData[];
  /** 0 to play first, 1 to play second, null for any. */
  side?: number | null;
  /** Rating points that an opponent may be stronger or weaker; null for anybody. */
  reach?: number | null;
}

/** The terms of a tournament to be made. */
export interface NewTournament {
  game: string;
  options?: Record<string, number | string>;
  title: string;
  kind: "round_robin" | "swiss" | "arena";
  clock: ClockTerms;
  is_rated?: boolean;
  /** Of a Swiss tournament; of a round robin how often everybody meets, 1 or 2. */
  rounds?: number;
  /** How long an arena lasts. */
  minutes?: number;
  /** When it starts, in UTC: `2026-11-17T12:00:00.000Z`; null: when its maker says so. */
  starts?: string | null;
  /** From the beginning of a round to that of the next, with correspondence clocks; null: when all games are over. */
  round_seconds?: number | null;
}

/** Drawn positions of the sample, and how many the ban on returns turns into a win within `plies`. */
export interface NewWinFacts {
  drawn: number;
  found: number;
  plies: number;
}

/** The next match in which it is the visitor's turn. */
export interface NextMatch {
  number: string | null;
  /** How many there are. */
  count: number;
}

/** What a person wants to be told: each kind that is listed is changed. */
export interface NoticeChange {
  kinds: KindSwitches[];
}

/** A notice, in the language of the reader. */
export interface NoticeData {
  kind: "turn" | "reminder" | "challenge" | "answer" | "seek" | "tournament" | "over";
  title: string;
  text: string;
  /** The page that it leads to. */
  path: string;
  /** A newer notice with the same tag replaces an older one. */
  tag: string;
}

/** Something has happened. */
export interface NoticeMessage {
  type: "notice";
  notice: NoticeData;
}

/** What a person is told, and by what. */
export interface NoticeOptions {
  kinds: KindSwitches[];
  /** The key that a browser subscribes with; null if this server does not offer Web Push. */
  push_key: string | null;
  browsers: PushBrowser[];
  /** null if this server sends no e-mails, and for guests. */
  email: EmailState | null;
}

export type NoticePageMessage = NoticesMessage | NoticeMessage | GoneMessage | AliveMessage;

/** A sign of life of a page; the server does not answer it. */
export interface NoticeRequest {
  do: "stay";
}

/** What is current when a page connects, the newest last. */
export interface NoticesMessage {
  type: "notices";
  notices: NoticeData[];
}

/** What other sites show for an address of ours: see https://oembed.com. */
export interface OEmbedAnswer {
  version: "1.0";
  type: "rich";
  provider_name: string;
  provider_url: string;
  title: string;
  cache_age: number;
  width: number;
  height: number;
  html: string;
  thumbnail_url: string;
  thumbnail_width: number;
  thumbnail_height: number;
}

/** An offer that waits for an answer. */
export interface OfferData {
  what: "draw" | "undo" | "rematch";
  player: string;
  is_mine: boolean;
  /** The players who have not answered yet. */
  asked: string[];
}

/** A player offers a draw or a rematch, or asks to take back an action. */
export interface OfferEvent {
  kind: "offer";
  player: string;
  what: "draw" | "undo" | "rematch";
}

/** An offer in a match waits for the person's answer. */
export interface OfferMessage {
  type: "offer";
  number: string;
  seq: number;
  offer: OfferData;
}

/** A position in which exactly one action wins, or exactly one does not lose. */
export interface OnlyActionExample {
  position: string;
  player: string;
  action: string;
  actions: number;
  value: OutcomeFact;
  others: ("draw" | "loss")[];
}

/** In how many positions of a random sample only one action holds. */
export interface OnlyActions {
  seed: number;
  size: number;
  undecided: number;
  wins: number;
  quick: number;
  draws: number;
  examples: OnlyActionExample[];
}

/** The values of all actions after `played`, best first. */
export interface OpeningChoice {
  played: string[];
  player: string;
  values: ActionGroup[];
}

/** A value for the player on move: how the game ends with best play, and in how many plies. */
export interface OutcomeFact {
  outcome: "win" | "draw" | "loss";
  plies: number | null;
}

/** What a table of wins, draws and losses tells of its game. */
export interface OutcomeSolution {
  game: string;
  options: Record<string, number>;
  metric: "plies";
  repetition: "free" | "draws" | "forbidden";
  value: OutcomeFact;
  player: string;
  table: TableFacts;
  commands: ReportCommands;
  open?: UnsolvedOptions[];
  verified?: VerificationFacts | null;
  tiers: OutcomeTier[];
  wins: Record<string, number>;
  losses: Record<string, number>;
  line: BestPlay | null;
  choices: OpeningChoice[];
  longest_wins: LongestWins;
  only: OnlyActions;
  returns: ReturnFacts | null;
}

/** A solved game in a list. */
export interface OutcomeSummary {
  options: Record<string, number | string>;
  metric: "plies";
  repetition: "free" | "draws" | "forbidden";
  value: OutcomeFact;
  player: string;
  verified: VerificationFacts | null;
  entries: number;
  bytes: number;
}

/** Numbers of positions in one part of the table; `over` counts finished games, `longest` is in plies. */
export interface OutcomeTier {
  name: string;
  won: number;
  drawn: number;
  lost: number;
  over: number;
  longest: number;
}

/** A match of the person is over. */
export interface OverMessage {
  type: "over";
  number: string;
  seq: number;
  result: ResultData;
}

/** What the visitor is and can do in a tournament. */
export interface OwnTournament {
  is_signed_in: boolean;
  /** Whether the visitor has joined and not withdrawn. */
  is_playing: boolean;
  /** The number of the visitor's match that is being played. */
  match: string | null;
  can_join: boolean;
  can_withdraw: boolean;
  can_start: boolean;
  can_cancel: boolean;
}

/** Somebody plays with the visitor: a match has begun. */
export interface PairedMessage {
  type: "paired";
  seek: string;
  match: string;
  game: string;
}

/** A part of a position besides pieces, side and hands, and how it is chosen. */
export interface PartData {
  name: string;
  title: string;
  /** A cell, two cells, one of `choices`, or some players in an order; written with commas, `-` for none. */
  kind: "cell" | "pair" | "choice" | "players";
  /** For a choice: what each text means. */
  choices: Record<string, string>;
  /** For a cell: whose piece stands there. */
  player: string | null;
  /** For a cell or a pair: the mark of the drawing that shows it. */
  mark: string | null;
  can_be_none: boolean;
}

/** Makes an account with a passkey. */
export interface PasskeyAccount {
  number: string;
  /** In the JSON of WebAuthn. */
  credential: Record<string, unknown>;
  label?: string;
  /** What the browser has kept for the guest. */
  settings?: Record<string, unknown>;
}

/** What a browser answers a challenge. */
export interface PasskeyAnswer {
  number: string;
  /** In the JSON of WebAuthn. */
  credential: Record<string, unknown>;
  label?: string;
}

/** What a browser needs to make or use a passkey; good for one attempt, for two minutes. */
export interface PasskeyChallenge {
  number: string;
  /** In the JSON of WebAuthn. */
  options: Record<string, unknown>;
}

/** A passkey of the account. */
export interface PasskeyData {
  number: string;
  label: string;
  created: string;
  used: string | null;
}

/** Asks for what a browser needs to make a passkey. */
export interface PasskeyStart {
  /** Of the account to make; null for who is signed in. */
  name?: string | null;
}

/** Sets another password. */
export interface PasswordChange {
  /** Needed if the account has a password. */
  old?: string | null;
  password: string;
}

/** What everybody may know of an account. */
export interface PersonData {
  name: string;
  is_program: boolean;
  /** The day. */
  created: string;
  /** The last ones with others, newest first. */
  matches: MatchSummary[];
}

export type PersonLine = BegunMessage | TurnMessage | OfferMessage | OverMessage | VacationMessage | ChallengeMessage | ReadyMessage | EndMessage;

/** All ratings of an account. */
export interface PersonRatings {
  name: string;
  pools: PoolRating[];
}

/** Somebody, by the name of an account, or as a player or an author of a message in a match. */
export interface PersonTarget {
  account?: string | null;
  match?: string | null;
  player?: string | null;
  /** The number of a message. */
  line?: number | null;
}

/** A ready-made phrase. */
export interface PhraseData {
  key: string;
  text: string;
}

/** A picture: a game that can be played on. */
export interface PictureBlock {
  kind: "picture";
  id: string;
  alt: string;
  options: Record<string, number | string>;
  drawing: DrawingData;
  start: string;
  actions: string[];
  state: PlayState;
}

/** A board as SVG. */
export interface PictureData {
  picture: string;
}

/** A moment of a game to draw. */
export interface PictureRequest {
  game: string;
  options?: Record<string, number | string>;
  /** A position string; null is the first position of the game. */
  start?: string | null;
  actions?: string[];
  theme?: string;
  size?: number;
  coordinates?: boolean;
  flip?: boolean;
}

/** SVG fragments that draw the pieces of one player; 1 is the width of a cell, (0, 0) its middle. */
export interface PieceArtworkData {
  drawing: string;
  /** For lists. */
  small: string;
  /** The `viewBox` of `small`. */
  small_box: string;
  /** What the fragments refer to, to be defined once in a page; may be empty. */
  gradient: string;
}

/** A piece on the board. */
export interface PieceData {
  player: string;
  cell: string;
  /** The number of pieces under it. */
  level: number;
  marks: string[];
}

/** To be answered at once with a `pong` of the same id: the server measures the lag of a player. */
export interface PingMessage {
  type: "ping";
  id: string;
}

/** A piece set down on the board. */
export interface PlacedPiece {
  player: string;
  cell: string;
}

/** A player has played an action. */
export interface PlayEvent {
  kind: "play";
  player: string;
  action: string;
}

/** Plays an action for the player on move. */
export interface PlayRequest {
  id: string;
  do: "play";
  action: string;
  /** The last event that the client has seen. */
  seq?: number | null;
}

/** A game being played: the board, whose turn it is, and the legal actions. */
export interface PlayState {
  position: string;
  pieces: LabelledPiece[];
  /** By cell. */
  marks: Record<string, string[]>;
  /** By player: what to say of the pieces in hand. */
  hands: Record<string, string>;
  hand_counts: Record<string, number>;
  captions: string[];
  waiting: WaitingPiece[];
  /** The cells whose pieces made the win. */
  winning: string[];
  /** The points of the die that lies on the table. */
  die: number | null;
  result: ResultData | null;
  mover: string;
  turn: number;
  last: LastAction | null;
  /** What the board marks, the oldest first. For a player of a match, the last turn of every opponent since the player's own; otherwise the last turn. */
  last_turns: TurnMarksData[];
  mover_name: string | null;
  actions: ActionData[];
  /** Null when the game is over or the die is due. */
  guide: GuideData | null;
}

/** A player of a game. */
export interface PlayerName {
  player: string;
  name: string;
}

/** A match that is played now, with its board. */
export interface PlayingData {
  number: string;
  game: string;
  options: Record<string, number | string>;
  /** Of the players, in the order of the seats. */
  names: string[];
  ratings: (RatingData | null)[];
  clock: ClockTerms | null;
  is_rated: boolean;
  turn: number;
  mover: string;
  pieces: PieceData[];
  marks: Record<string, string[]>;
}

/** Answers the ping with the same id; nothing is sent back. */
export interface PongRequest {
  id: string;
  do: "pong";
}

/** The rating of an account in a pool. */
export interface PoolRating {
  pool: string;
  game: string;
  players: number;
  speed: "live" | "correspondence";
  has_programs: boolean;
  rating: RatingData;
  deviation: number;
  games: number;
  /** The course of the value, oldest first; of many games some are left out. */
  points: RatingPoint[];
}

/** A position and the player on move. */
export interface PositionOfPlayer {
  position: string;
  player: string;
}

/** The seats whose visitors are connected; sent when they change. */
export interface PresenceMessage {
  type: "here";
  seats: string[];
  clocks?: ClocksData | null;
}

/** What an action does, to be shown before it is played. */
export interface PreviewData {
  /** What it gives and costs. */
  sentence: string | null;
  /** The cells whose pieces vanish, by step of a chain reaction. */
  gone: string[][];
  /** The ways of pieces on the board, and of a piece from the hand (`origin` null) that passes cells. */
  moved: RouteData[];
  /** The cells that get a piece which was not on the board. */
  placed: string[];
  /** Whether to ask before it. */
  is_irreversible: boolean;
  /** Whether nobody acts in this turn after it. */
  ends_turn: boolean;
}

/** What the legal actions of a position do. */
export interface PreviewsData {
  /** By action; empty when the game is over or the die is due. */
  previews: Record<string, PreviewData>;
}

/** A position whose actions are to be previewed. */
export interface PreviewsRequest {
  game: string;
  options?: Record<string, number | string>;
  position: string;
}

/** What the privacy page says of the settings. */
export interface PrivacyData {
  /** Days after which a match without an event is deleted; 0: never. */
  keep_days: number;
  /** Whether requests are logged, without what identifies visitors. */
  is_logging: boolean;
  /** How to reach the operator; may be empty. */
  contact: string;
}

/** The values of positions, in their order, each for the player on move or about to roll. */
export interface ProbedValues {
  /** 1 for a win, 0 for a draw, -1 for a loss; in a game with a die, 0 until the game is over. */
  outcomes: (-1 | 0 | 1)[];
  /** The distance to the end, 0 if the game is over; null where there is none. */
  plies: (number | null)[];
  /** The chance to win; 0.5 for a draw. */
  chances: number[];
}

/** A browser that gets notices by Web Push. */
export interface PushBrowser {
  /** The first 32 hexadecimal digits of the SHA-256 of its endpoint. */
  number: string;
  browser: string;
  created: string;
}

/** The keys of a browser, in base64url. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** The actions from the position of a puzzle on, the opponent's replies among them; or the number alone. */
export interface PuzzleAnswer {
  actions: string[];
}

/** A puzzle without its answer. */
export interface PuzzleData {
  id: string;
  game: string;
  options: Record<string, number | string>;
  start: string;
  theme: string;
  task: string;
  /** Who is asked. */
  player: string;
  player_name: string;
  difficulty: number;
  rating: number;
  /** The number of legal actions in its position. */
  actions: number;
  /** The numbers to choose from; empty if the answer is played on the board. */
  choices: string[];
}

/** A puzzle in a list. */
export interface PuzzleEntry {
  id: string;
  theme: string;
  difficulty: number;
  rating: number;
}

/** A hint. */
export interface PuzzleHintData {
  sentence: string;
  /** To point at. */
  cells: string[];
  /** The action, or the number; only in the second step. */
  action: string | null;
}

/** The right actions so far, the opponent's replies among them. */
export interface PuzzleHintRequest {
  actions?: string[];
  /** 1: which piece or which part of the board; 2: the action. */
  step?: 1 | 2;
}

/** The puzzles of a game, easy ones first. */
export interface PuzzleList {
  themes: Record<string, string>;
  puzzles: PuzzleEntry[];
}

/** How the game goes on with best play, and why the answer is right. */
export interface PuzzleSolution {
  answer: string;
  /** Empty if a number is asked for. */
  line: string[];
  /** How many actions keep the result, and what follows. */
  reasons: string[];
  /** What every other action runs into, the most tempting first; of whole turns, some. */
  tries: PuzzleTryData[];
}

/** Other answers that fail in the same way. */
export interface PuzzleTryData {
  actions: string[];
  /** The first of them and what refutes it. */
  line: string[];
  sentence: string;
}

/** Whether the actions so far are right, and what the opponent does. */
export interface PuzzleVerdictData {
  kind: "right" | "solved" | "wrong";
  reply: string[];
  refutation: string[];
  sentence: string;
}

/** What a match has changed in the rating of a player. */
export interface RatingChangeData {
  before: number;
  after: number;
  /** Whether the value after the match is still uncertain. */
  is_provisional: boolean;
}

/** How strong a player is. */
export interface RatingData {
  value: number;
  /** Whether the value is still uncertain. */
  is_provisional: boolean;
}

/** The value of a rating after a game. */
export interface RatingPoint {
  at: string;
  value: number;
}

/** The match has been rated. */
export interface RatingsMessage {
  /** By player. */
  changes: Record<string, RatingChangeData>;
  /** Why the game did not count: the same one again and again, or one of many that an absent player lost on time. */
  why_unrated: "repeated" | "timeouts" | null;
  type: "ratings";
}

/** All that is current has been told; what follows is new. */
export interface ReadyMessage {
  type: "ready";
}

/** A record that was read; each node of `tree` stands after its parent. */
export interface RecordData {
  game: string;
  options: Record<string, number | string>;
  start: string | null;
  tree: (TreeRoot | TreeAction)[];
  players: string[];
  date: string;
  tags: Record<string, string>;
  /** Only if an act of the players ended the game: the winner, or `draw`. */
  result: string | null;
  reason: string | null;
  /** The number of games in the text. */
  count: number;
}

/** A record to write. */
export interface RecordDraft {
  game: string;
  options?: Record<string, number | string>;
  start?: string | null;
  tree: TreeNode[];
  format?: "text" | "json";
  players?: string[];
  date?: string;
  tags?: Record<string, string>;
  result?: string | null;
  reason?: string | null;
}

/** A record as text. */
export interface RecordOutput {
  text: string;
}

/** A record to read; a bare list of actions is one of `game`, or of the only game that it fits. */
export interface RecordText {
  text: string;
  /** Which of several games. */
  number?: number;
  game?: string;
  options?: Record<string, number | string>;
  start?: string | null;
}

/** New recovery codes, which are shown once. */
export interface RecoveryCodes {
  codes: string[];
}

/** Sets another password with a recovery code, and signs in. */
export interface RecoveryRequest {
  name: string;
  code: string;
  password: string;
}

/** Why something cannot be played. */
export interface Refusal {
  sentence: string;
  /** The address of the rule that says so; null if the game has no rule page. */
  rules: string | null;
}

/** A request was refused. */
export interface RefusedMessage {
  type: "refused";
  id: string;
  error: string;
}

/** All have agreed to a rematch, and the match that follows has begun. */
export interface RematchEvent {
  kind: "rematch";
  player: string;
  number: string;
}

/** Offers a rematch, which begins at once if no other person plays. */
export interface RematchRequest {
  id: string;
  do: "rematch";
}

/** Commands for this game with its options. */
export interface ReportCommands {
  solve: string;
  verify: string;
  probe: string;
  report: string;
}

/** A report that waits for a moderator. */
export interface ReportData {
  number: string;
  created: string;
  /** The name of who has reported; null if they are gone. */
  reporter: string | null;
  /** Of who is reported, at that time. */
  name: string;
  /** The name now. */
  now: string;
  /** The name of the account now; null for a guest. */
  account: string | null;
  match: string | null;
  reason: "abuse" | "cheating" | "name" | "spam" | "stalling" | "other";
  words: string;
  lines: ReportedLine[];
  silent_until: string | null;
  banned_until: string | null;
  /** Whether nobody may act: it is about a moderator. */
  is_protected: boolean;
  /** What was done because of the report. */
  done: ("dismiss" | "silence" | "remove" | "rename" | "ban")[];
}

/** A message as it was when somebody was reported. */
export interface ReportedLine {
  number: number;
  match: string;
  room: "players" | "spectators";
  name: string;
  /** A phrase in the moderator's language. */
  text: string;
  at: string;
  /** Whether the person who is reported has written it. */
  is_theirs: boolean;
}

/** A player has resigned. */
export interface ResignEvent {
  kind: "resign";
  player: string;
}

/** Resigns. */
export interface ResignRequest {
  id: string;
  do: "resign";
}

/** How a game ended. */
export interface ResultData {
  /** Null for a draw. */
  winner: string | null;
  reason: string;
  sentence: string;
  /** Why, in a few words without a capital that suit winner and loser; after "You win:". */
  words: string | null;
  /** The end in a sentence with cells and numbers, if the board shows it. */
  details: string | null;
}

/** A player has ended a vacation earlier than it would have ended. */
export interface ReturnEvent {
  kind: "return";
  player: string;
}

/** What a ban on returning to an earlier situation does to the table's wins; see ``solve/returns``. */
export interface ReturnFacts {
  certain: number;
  counts: [Record<string, number>, Record<string, number>, Record<string, number>, Record<string, number>, Record<string, number>];
  more: number;
  full: number;
  last: number;
  failed: BestPlay | null;
  new: NewWinFacts | null;
  won: PositionOfPlayer | null;
  start: FirstPositionFacts | null;
}

export type ReviewLine = ReviewStart | ReviewStep | ErrorAnswer;

/** The first line of a review. */
export interface ReviewStart {
  chances: number[];
  is_from_table: boolean;
  /** From a table, and certain whatever was played before. */
  is_exact: boolean;
}

/** One action of a reviewed game. */
export interface ReviewStep {
  /** After the action, for each player. */
  chances: number[];
  number: number;
  turn: number;
  player: string;
  action: string;
  /** The winning chance that the action gave away; null for a roll. */
  loss: number | null;
  is_mistake: boolean;
  /** How good or bad the action was, where that is worth a mark. */
  mark: "!" | "?!" | "?" | "??" | null;
  /** Whether there was another legal action; only such actions count for the accuracy of a player. */
  has_choice: boolean;
  before: number[];
  better: string[];
  /** The same actions by turn. */
  better_turns: string[][];
}

/** The values of all actions after `played` and any roll, for `player`. */
export interface RollAnswers {
  played: string[];
  player: string;
  rolls: RollGroup[];
}

/** The die has been rolled. */
export interface RollEvent {
  kind: "roll";
  action: string;
}

/** Rolls after which all actions have equal values. */
export interface RollGroup {
  rolls: string[];
  values: ([string, number])[];
}

/** The way of one piece, or the one cell of an action that moves none. */
export interface RouteData {
  /** Null for a piece from the hand, and for an action that has one cell. */
  origin: string | null;
  /** The cells between, in order. */
  path: string[];
  target: string;
}

/** The rule page of a game. */
export interface RulePage {
  title: string;
  blocks: (TextBlock | TableBlock | PictureBlock)[];
}

/** Somebody has written a message. */
export interface SaidMessage {
  type: "said";
  line: ChatLine;
}

/** Writes a message in the chat: a phrase, or text. */
export interface SayRequest {
  id: string;
  do: "say";
  /** By default the visitor's own. */
  room?: "players" | "spectators" | null;
  phrase?: string | null;
  /** What is not allowed in it, such as control characters, is taken out; then it may have 200 characters. */
  text?: string | null;
}

/** Who plays for one of the players. */
export interface SeatData {
  player: string;
  name: string;
  /** Of the person who holds the seat. */
  nickname: string | null;
  /** The name of that person's account, which has a page of its own; null for a guest. */
  account: string | null;
  /** Whether the account is a program's. */
  is_program: boolean;
  kind: "person" | "computer" | "open";
  level: number | null;
  is_mine: boolean;
  is_here: boolean;
  /** Before the game, if the match has a clock; of the computer's level, if it has been measured. */
  rating: RatingData | null;
}

/** A visitor has taken an open seat. */
export interface SeatEvent {
  kind: "seat";
  player: string;
}

/** Takes the open seat of an invitation. */
export interface SeatRequest {
  invitation: string;
}

/** What became of a new seek: it is open, or a match has begun at once. */
export interface SeekAnswer {
  seek: SeekData | null;
  match: string | null;
}

/** A seek or a challenge that is open. */
export interface SeekData {
  number: string;
  kind: "open" | "challenge" | "link";
  owner: LobbyPerson;
  /** The owner's, on the first of the terms. */
  rating: RatingData | null;
  rival: LobbyPerson | null;
  terms: TermsData[];
  side: number | null;
  reach: number | null;
  /** Whether it ends when its owner leaves the pages. */
  is_live: boolean;
  created: string;
}

/** A browser that is signed in. */
export interface SessionData {
  number: string;
  browser: string;
  created: string;
  /** When it was last used, to the hour. */
  seen: string;
  /** Whether it is the one that asks. */
  is_this: boolean;
}

/** Settings and progress, as the pages keep them. */
export interface SettingsData {
  settings: Record<string, unknown>;
}

/** A position being set up. */
export interface SetupData {
  position: string;
  side: string;
  /** What is wrong with the position. */
  problem: string | null;
  /** Null while the position is wrong. */
  state: BoardState | null;
  /** The texts of the parts, by name. */
  parts: Record<string, string>;
  /** What parts positions of this game have. */
  tools: PartData[];
}

/** A position being set up: a position string, in which pieces, side, hands and parts may be replaced. */
export interface SetupRequest {
  game: string;
  options?: Record<string, number | string>;
  position?: string | null;
  pieces?: PlacedPiece[] | null;
  side?: string | null;
  hands?: number[] | null;
  /** By name; used together with `pieces`. */
  parts?: Record<string, string> | null;
}

/** A seek whose number somebody knows. */
export interface ShownSeek {
  seek: SeekData;
  is_mine: boolean;
  state: "open" | "taken" | "declined" | "withdrawn" | "expired";
  /** For its two players, when it has been taken. */
  match: string | null;
}

/** Signs in with a password. */
export interface SignInRequest {
  name: string;
  password: string;
}

/** The whole match: the first message of a connection. */
export interface SnapshotMessage {
  number: string;
  game: string;
  options: Record<string, number | string>;
  options_text: string;
  created: string;
  seats: SeatData[];
  /** By player; only for the visitor who began the match, while seats are open. */
  invitations: Record<string, string>;
  /** Whether hints, values and take-backs are allowed while the game is played. */
  has_help: boolean;
  clock: ClockTerms | null;
  is_rated: boolean;
  /** What the clocks show now; null without a clock. */
  clocks: ClocksData | null;
  /** What the match has changed in the ratings; null until it has been rated. */
  ratings: MatchRatings | null;
  dice: DiceData | null;
  seq: number;
  state: MatchState;
  type: "snapshot";
}

/** The most important facts of a game, the usual options first. */
export interface SolutionSummaries {
  game: string;
  title: string;
  summary: string;
  players: Record<string, string>;
  usual: Record<string, number | string>;
  solutions: (OutcomeSummary | ChanceSummary | UnsolvedSummary)[];
}

/** A player's place. */
export interface StandingData {
  rank: number;
  name: string;
  is_program: boolean;
  is_me: boolean;
  rating: number;
  points: number;
  tie_breaks: Record<string, number>;
  wins: number;
  draws: number;
  losses: number;
  is_withdrawn: boolean;
  is_playing: boolean;
  /** Whether the next game in the arena counts double. */
  is_on_streak: boolean;
}

/** A table; its first row is the head. */
export interface TableBlock {
  kind: "table";
  id: string;
  rows: TextSpan[][][];
}

/** The table file, and what building it takes on two cores. */
export interface TableFacts {
  file: string;
  bytes: number;
  entries: number;
  free: number;
  entry_bytes: number;
  coding: string;
  sha256: string;
  rules: number;
  numbering: string;
  format: number;
  solver: string;
  minutes: number;
  memory: number;
}

/** A table that can be downloaded. */
export interface TableOffer {
  game: string;
  options: Record<string, number | string>;
  entries: number;
  bytes: number;
  /** Of the file, in hexadecimal; also its ETag. */
  sha256: string;
  /** Of the file, on this server. */
  address: string;
}

/** The tables that can be downloaded. */
export interface TableOffers {
  tables: TableOffer[];
}

/** Positions to look up in a table. */
export interface TableProbe {
  game: string;
  options?: Record<string, number | string>;
  positions: string[];
}

/** Whether the table of a game is there, can be built, or is being built. */
export interface TableStatus {
  is_solvable: boolean;
  is_built: boolean;
  progress: BuildProgress | null;
  error: string | null;
  /** About how long building takes. */
  minutes: number | null;
}

/** One way to play. */
export interface TermsData {
  game: string;
  options?: Record<string, number | string>;
  clock?: ClockTerms | null;
  is_rated?: boolean;
}

/** A heading, a paragraph, a ruling or a list; only a list has several lines. */
export interface TextBlock {
  kind: "heading" | "paragraph" | "list" | "numbers" | "ruling";
  id: string;
  level: number;
  lines: TextSpan[][];
}

/** Some words in one style. */
export interface TextSpan {
  text: string;
  style: "plain" | "strong" | "em" | "code";
}

/** The computer is choosing. */
export interface ThinkingMessage {
  type: "thinking";
  player: string;
}

/** A token with which a program acts for the account. */
export interface TokenData {
  number: string;
  label: string;
  scopes: ("read" | "play" | "challenge" | "tournament")[];
  created: string;
  /** When it was last used, to the hour. */
  used: string | null;
}

/** The token to make. */
export interface TokenDraft {
  label: string;
  scopes: ("read" | "play" | "challenge" | "tournament")[];
}

/** What somebody wants to do in a tournament. */
export interface TournamentAct {
  do: "join" | "withdraw" | "start" | "cancel";
}

/** A tournament as it stands. */
export interface TournamentData {
  number: string;
  title: string;
  kind: "round_robin" | "swiss" | "arena";
  game: string;
  options: Record<string, number | string>;
  clock: ClockTerms;
  is_rated: boolean;
  rounds: number;
  minutes: number;
  starts: string | null;
  round_seconds: number | null;
  status: "waiting" | "running" | "ended" | "cancelled";
  created: string;
  maker: string;
  /** How many have joined. */
  players: number;
  /** Changes whenever the tournament does. */
  version: number;
  started: string | null;
  /** When the time of an arena is up. */
  ends: string | null;
  ended: string | null;
  /** The last round that has begun; 0 before the first, and in an arena. */
  round: number;
  /** How many rounds there are; 0 in an arena. */
  round_total: number;
  /** When the next round begins, if that is known. */
  next_round: string | null;
  /** In the order in which they decide. */
  tie_breaks: ("buchholz" | "sonneborn_berger" | "direct" | "wins")[];
  standings: StandingData[];
  pairings: TournamentRoundData | null;
  own: OwnTournament;
}

/** A game of a tournament. */
export interface TournamentGameData {
  /** The name of who plays first. */
  first: string;
  second: string;
  /** The number of its match; null before it has begun, and if it was never played. */
  match: string | null;
  /** Who won; null while it is played. */
  result: "first" | "second" | "draw" | null;
  /** Whether the loser did not come. */
  is_forfeit: boolean;
}

/** A page of tournaments, newest first. */
export interface TournamentList {
  tournaments: TournamentSummary[];
  /** What to ask for to get the next page; null if this is the last one. */
  before: string | null;
}

/** A round; of an arena, the games of the last minutes. */
export interface TournamentRoundData {
  number: number;
  games: TournamentGameData[];
  byes: string[];
}

/** A tournament in a list. */
export interface TournamentSummary {
  number: string;
  title: string;
  kind: "round_robin" | "swiss" | "arena";
  game: string;
  options: Record<string, number | string>;
  clock: ClockTerms;
  is_rated: boolean;
  rounds: number;
  minutes: number;
  starts: string | null;
  round_seconds: number | null;
  status: "waiting" | "running" | "ended" | "cancelled";
  created: string;
  maker: string;
  /** How many have joined. */
  players: number;
}

/** An action of a record that was read. */
export interface TreeAction {
  parent: number;
  action: string;
  turn: number;
  player: string;
  comment: string;
  points?: number | null;
}

/** One action in a tree of variations; the first node stands for the beginning. */
export interface TreeNode {
  parent?: number | null;
  action?: string;
  comment?: string;
}

/** The beginning of a record that was read. */
export interface TreeRoot {
  parent: null;
  action: "";
  comment: string;
}

/** A turn that the board marks; rolls of the die are left out. */
export interface TurnMarksData {
  /** Whose turn it was; within it, another player may have answered. */
  player: string;
  actions: ActionMarksData[];
}

/** It has become the person's turn; further actions of the same turn are not told. */
export interface TurnMessage {
  type: "turn";
  number: string;
  /** Of the event that made it so. */
  seq: number;
  /** For whom the person is to act. */
  player: string;
}

/** Actions were taken back; `to` are left. */
export interface UndoEvent {
  kind: "undo";
  player: string;
  to: number;
}

/** Takes back to the visitor's last action, or offers to. */
export interface UndoRequest {
  id: string;
  do: "undo";
}

/** A moderator has removed a message. */
export interface UnsaidMessage {
  type: "unsaid";
  number: number;
}

/** A game that has no table. */
export interface UnsolvedGame {
  game: string;
  positions: number;
  symmetries: number;
}

/** Options for which no table has been built. */
export interface UnsolvedOptions {
  options: Record<string, number>;
  entries: number | null;
  memory?: number;
}

/** A game that is not solved, in a list. */
export interface UnsolvedSummary {
  positions: number;
}

/** The vacation days of an account. */
export interface VacationData {
  /** How many days an account has. */
  allowance: number;
  /** Within how many days. */
  period: number;
  /** How many are left; those of a running vacation are not among them. */
  left: number;
  /** After how many milliseconds the running vacation ends; null if none runs. */
  ends_in: number | null;
}

/** A player is on vacation: the player's clock stands still. */
export interface VacationEvent {
  kind: "vacation";
  player: string;
  /** How many milliseconds from the event on, unless it is ended earlier. */
  lasts: number;
}

/** A player of a match of the person, who may be the person, is on vacation or has ended one early. */
export interface VacationMessage {
  type: "vacation";
  number: string;
  seq: number;
  player: string;
  /** After how many milliseconds the vacation ends; null if it was ended. */
  ends_in: number | null;
}

/** A vacation that begins now. */
export interface VacationRequest {
  /** From 1 to `left` of `VacationData`. */
  days: number;
}

/** The result of `damier verify`. */
export interface VerificationFacts {
  entries: number;
  error: number | null;
}

/** What a page itself holds about its visitor, so that it need not be requested. */
export interface VisitData {
  nickname: string;
  /** The name of the account that is signed in, which is the nickname then. */
  account: string | null;
  lang: string;
  /** The last matches, those to continue first; null on pages that do not list them. */
  matches: MatchSummary[] | null;
}

/** A piece that waits beside the board. */
export interface WaitingPiece {
  player: string;
  marks: string[];
  label: string;
}

/** The hour of each week at which people meet. */
export interface WeeklyData {
  /** Of the present one while it lasts, else of the next. */
  start: string;
  seconds: number;
}

/** The games of which somebody wants to be told when others seek them. */
export interface Wishes {
  games: string[];
}

/** A player has withdrawn an offer. */
export interface WithdrawEvent {
  kind: "withdraw";
  player: string;
  what: "draw" | "undo" | "rematch";
}

/** Withdraws the visitor's offer. */
export interface WithdrawRequest {
  id: string;
  do: "withdraw";
}

export interface Get {
  (path: `games/${string}/lesson/${string}/answer`, query?: Record<string, string | number>): Promise<LessonSolution>;
  (path: `puzzles/${string}/${string}/solution`, query?: Record<string, string | number>): Promise<PuzzleSolution>;
  (path: "my/matches/records", query?: Record<string, string | number>): Promise<(Record<string, unknown>)[]>;
  (path: `games/${string}/drawing`, query?: Record<string, string | number>): Promise<DrawingData>;
  (path: `games/${string}/example`, query?: Record<string, string | number>): Promise<ExampleData>;
  (path: `games/${string}/lesson`, query?: Record<string, string | number>): Promise<LessonData>;
  (path: `games/${string}/rules`, query?: Record<string, string | number>): Promise<RulePage>;
  (path: `matches/${string}/conditional`, query?: Record<string, string | number>): Promise<ConditionalData>;
  (path: `matches/${string}/hint`, query?: Record<string, string | number>): Promise<HintData>;
  (path: `matches/${string}/values`, query?: Record<string, string | number>): Promise<ActionValues>;
  (path: `people/${string}/ratings`, query?: Record<string, string | number>): Promise<PersonRatings>;
  (path: `puzzles/${string}/${string}`, query?: Record<string, string | number>): Promise<PuzzleData>;
  (path: "account/passkeys", query?: Record<string, string | number>): Promise<PasskeyData[]>;
  (path: "account/sessions", query?: Record<string, string | number>): Promise<SessionData[]>;
  (path: "account/settings", query?: Record<string, string | number>): Promise<SettingsData>;
  (path: "account/tokens", query?: Record<string, string | number>): Promise<TokenData[]>;
  (path: "account/vacation", query?: Record<string, string | number>): Promise<VacationData>;
  (path: "lobby/matches", query?: Record<string, string | number>): Promise<MatchPage>;
  (path: "lobby/wishes", query?: Record<string, string | number>): Promise<Wishes>;
  (path: "my/matches", query?: Record<string, string | number>): Promise<MatchPage>;
  (path: "my/next", query?: Record<string, string | number>): Promise<NextMatch>;
  (path: `matches/${string}`, query?: Record<string, string | number>): Promise<MatchSnapshot>;
  (path: `people/${string}`, query?: Record<string, string | number>): Promise<PersonData>;
  (path: `puzzles/${string}`, query?: Record<string, string | number>): Promise<PuzzleList>;
  (path: `ratings/${string}`, query?: Record<string, string | number>): Promise<Leaderboard>;
  (path: `seeks/${string}`, query?: Record<string, string | number>): Promise<ShownSeek>;
  (path: `solutions/${string}`, query?: Record<string, string | number>): Promise<GameSolutions>;
  (path: `tournaments/${string}`, query?: Record<string, string | number>): Promise<TournamentData>;
  (path: "account", query?: Record<string, string | number>): Promise<AccountData>;
  (path: "avoided", query?: Record<string, string | number>): Promise<AvoidedData[]>;
  (path: "games", query?: Record<string, string | number>): Promise<GameData[]>;
  (path: "lessons", query?: Record<string, string | number>): Promise<Record<string, LessonSteps>>;
  (path: "lobby", query?: Record<string, string | number>): Promise<LobbyState>;
  (path: "matches", query?: Record<string, string | number>): Promise<MatchSummary[]>;
  (path: "me", query?: Record<string, string | number>): Promise<MeData>;
  (path: "moderation", query?: Record<string, string | number>): Promise<ModerationData>;
  (path: "notices", query?: Record<string, string | number>): Promise<NoticeOptions>;
  (path: "privacy", query?: Record<string, string | number>): Promise<PrivacyData>;
  (path: "sentences", query?: Record<string, string | number>): Promise<Record<string, string>>;
  (path: "solutions", query?: Record<string, string | number>): Promise<SolutionSummaries[]>;
  (path: "tables", query?: Record<string, string | number>): Promise<TableOffers>;
  (path: "tournaments", query?: Record<string, string | number>): Promise<TournamentList>;
}

export interface Post {
  (path: `moderation/reports/${string}/acts`, body: ModerationAct): Promise<ModerationData>;
  (path: `games/${string}/lesson/${string}`, body: LessonAnswer): Promise<LessonVerdictData>;
  (path: `puzzles/${string}/${string}/hint`, body: PuzzleHintRequest): Promise<PuzzleHintData>;
  (path: `puzzles/${string}/${string}/judge`, body: PuzzleAnswer): Promise<PuzzleVerdictData>;
  (path: "account/passkeys/account", body: PasskeyAccount): Promise<AccountData>;
  (path: "account/passkeys/challenge", query?: Record<string, string | number>): Promise<PasskeyChallenge>;
  (path: "account/passkeys/sign-in", body: PasskeyAnswer): Promise<AccountData>;
  (path: "account/passkeys/start", body: PasskeyStart): Promise<PasskeyChallenge>;
  (path: `matches/${string}/act`, body: PlayRequest | UndoRequest | ResignRequest | DrawRequest | AnswerRequest | WithdrawRequest | RematchRequest | AbortRequest | ClaimRequest | SayRequest | PongRequest): Promise<DoneMessage>;
  (path: `matches/${string}/seats`, body: SeatRequest): Promise<MatchSnapshot>;
  (path: `matches/${string}/why`, body: Attempt): Promise<Refusal>;
  (path: `seeks/${string}/accept`, body: AcceptSeek): Promise<Accepted>;
  (path: `tournaments/${string}/acts`, body: TournamentAct): Promise<TournamentData>;
  (path: "account/passkeys", body: PasskeyAnswer): Promise<PasskeyData>;
  (path: "account/program", query?: Record<string, string | number>): Promise<AccountData>;
  (path: "account/recover", body: RecoveryRequest): Promise<AccountData>;
  (path: "account/recovery-codes", query?: Record<string, string | number>): Promise<RecoveryCodes>;
  (path: "account/sign-in", body: SignInRequest): Promise<AccountData>;
  (path: "account/tokens", body: TokenDraft): Promise<MadeToken>;
  (path: "account/vacation", body: VacationRequest): Promise<VacationData>;
  (path: "lines/state", body: GameLine): Promise<PlayState>;
  (path: "lines/states", body: GameLine): Promise<GameMoments>;
  (path: "lines/values", body: GameLine): Promise<ActionValues>;
  (path: "lines/why", body: LineAttempt): Promise<Refusal>;
  (path: "records/picture", body: PictureRequest): Promise<PictureData>;
  (path: "records/read", body: RecordText): Promise<RecordData>;
  (path: "records/setup", body: SetupRequest): Promise<SetupData>;
  (path: "records/write", body: RecordDraft): Promise<RecordOutput>;
  (path: "tables/build", body: GameChoice): Promise<TableStatus>;
  (path: "tables/look", body: GameChoice): Promise<TableStatus>;
  (path: "tables/probe", body: TableProbe): Promise<ProbedValues>;
  (path: "account", body: NewAccount): Promise<AccountData>;
  (path: "avoided", body: NewAvoided): Promise<AvoidedData>;
  (path: "matches", body: NewMatch): Promise<MatchSnapshot>;
  (path: "previews", body: PreviewsRequest): Promise<PreviewsData>;
  (path: "seeks", body: NewSeek): Promise<SeekAnswer>;
  (path: "tournaments", body: NewTournament): Promise<TournamentData>;
}

export interface Put {
  (path: `matches/${string}/conditional`, body: ConditionalRequest): Promise<ConditionalData>;
  (path: "account/email", body: EmailChange): Promise<AccountData>;
  (path: "account/name", body: NameChange): Promise<AccountData>;
  (path: "lobby/wishes", body: Wishes): Promise<Wishes>;
  (path: "me", body: MeData): Promise<MeData>;
  (path: "notices", body: NoticeChange): Promise<NoticeOptions>;
}
