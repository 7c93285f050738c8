/** Types that several modules of the client share; those of the wire format are in net/wire.d.ts. */

import type {
  ActionData,
  ActionMarksData,
  GameData,
  GameLine,
  LastAction,
  MatchSnapshot,
  MomentState,
  PieceData,
  RecordData,
  WaitingPiece,
} from "./net/wire.d.ts";

/** Options of a game by name. */
export type OptionValues = Record<string, number | string>;

/** The declaration of an option. */
export type OptionData = GameData["options"][number];

/** Goes to another page; `given` saves the page a request. */
export type Go = (address: string, given?: Given) => Promise<void>;

/** What a page passes on to the next. */
export type Given = MatchSnapshot | { record: AnalysisRecord };

/** What a page is opened with: the parts of its address, and what the page before passes on. */
export interface Visit {
  argument: string;
  second?: string;
  given?: Given;
  go: Go;
}

/** Shows a page; returns what ends it. */
export type OpenPage = (page: HTMLElement, visit: Visit) => Promise<(() => void) | void>;

/** A game given whole, as most requests want it. */
export type Line = Required<Pick<GameLine, "game" | "options" | "actions">> & { start?: string | null };

/** A piece as a board draws it; `isGuess`: set down before the server has confirmed it. */
export type BoardPiece = Omit<PieceData, "marks"> & { marks?: string[]; label?: string; isGuess?: boolean };

/** A turn that a board marks. */
export interface MarkedTurn {
  player: string;
  actions: Pick<ActionMarksData, "routes" | "changed">[];
}

/**
 * What a board needs to draw a moment of a game: `last` says which piece moved, `last_turns` what is marked; `winning`
 * are the cells of the win, `waiting` the pieces beside the board.
 */
export interface BoardMoment {
  pieces: BoardPiece[];
  marks?: Record<string, string[]>;
  last?: Pick<LastAction, "cells"> | null;
  last_turns?: MarkedTurn[];
  winning?: string[];
  waiting?: Pick<WaitingPiece, "player" | "marks" | "label">[];
}

/** A moment of a game on a board that can be played on; without actions until they are known. */
export type Moment = MomentState & { actions?: ActionData[]; mover_name?: string | null };

/** One action in a list that stands for a tree of variations. */
export interface Branch {
  parent?: number | null;
  action?: string;
  comment?: string;
  turn?: number;
  player?: string;
}

/** A record in the analysis: one that was read, or one that begins. */
export type AnalysisRecord = Pick<RecordData, "game" | "options" | "start"> &
  Partial<Pick<RecordData, "players" | "date" | "tags" | "result" | "reason">> & { tree: Branch[]; at?: number };
