/**
 * What a lesson asks the server: verdicts on answers, reasons of refusals, right answers.
 *
 * @import { Attempt, LessonAnswer, LessonBoard, LessonSolution, LessonStepData, LessonVerdictData, PlayState,
 *   Refusal } from "../../net/wire.d.ts"
 */

import { get, post } from "../../net/api.js";

export class LessonJudge {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  /**
   * Returns the verdict on an answer; if there is none, what went wrong stands in its place.
   *
   * @param {LessonStepData} step
   * @param {LessonAnswer} body
   * @param {PlayState} state the board as it is
   * @returns {Promise<LessonVerdictData>}
   */
  verdict(step, body, state) {
    return post(`games/${this.game}/lesson/${step.id}`, body).catch((error) => ({
      status: "wrong",
      sentence: error.message,
      state,
      replies: [],
    }));
  }

  /**
   * Returns why something cannot be done.
   *
   * @param {LessonStepData} step
   * @param {LessonBoard} board
   * @param {string[]} actions played in the step
   * @param {Attempt} what
   * @returns {Promise<Partial<Refusal>>}
   */
  why({ start, actions: setup }, { options }, actions, what) {
    return post("lines/why", { game: this.game, options, start, actions: [...setup, ...actions], ...what });
  }

  /**
   * Returns a right answer.
   *
   * @param {LessonStepData} step
   * @returns {Promise<LessonSolution>}
   */
  solution(step) {
    return get(`games/${this.game}/lesson/${step.id}/answer`);
  }
}
