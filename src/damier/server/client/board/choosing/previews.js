/**
 * What each legal action of a position does, as the server says; requested once for a position, when first needed.
 *
 * @import { PreviewData } from "../../net/wire.d.ts"
 * @import { OptionValues } from "../../types.d.ts"
 * @typedef {Record<string, PreviewData>} PreviewTable by action
 */

import * as api from "../../net/api.js";

const PATIENCE = 1500; // milliseconds; later answers are for nobody

export class Previews {
  #position = "";
  /** @type {PreviewTable | undefined} */
  #known;
  /** @type {Promise<PreviewTable> | undefined} */
  #coming;

  /**
   * @param {{game: string, options: OptionValues} | undefined} about without it nothing is ever previewed
   * @param {typeof api.previews} ask
   */
  constructor(about, ask = api.previews) {
    this.about = about;
    this.ask = ask;
  }

  /**
   * Returns what is known of a position; undefined while it is not.
   *
   * @param {string | undefined} position
   * @returns {PreviewTable | undefined}
   */
  known(position) {
    if (!this.about || !position) return {};
    return position === this.#position ? this.#known : undefined;
  }

  /**
   * Returns what the actions of a position do; nothing if the server does not answer.
   *
   * @param {string | undefined} position
   * @returns {Promise<PreviewTable>}
   */
  load(position) {
    const known = this.known(position);
    if (known || !position || !this.about) return Promise.resolve(known ?? {});
    if (!this.#coming || this.#position !== position) {
      this.#position = position;
      this.#known = undefined;
      this.#coming = this.#request(position, this.about);
    }
    return this.#coming;
  }

  /**
   * @param {string} position
   * @param {{game: string, options: OptionValues}} about
   */
  async #request(position, { game, options }) {
    /** @type {Promise<PreviewTable>} */
    const late = new Promise((done) => setTimeout(() => done({}), PATIENCE));
    const answered = this.ask(game, options, position).then(
      ({ previews }) => previews,
      () => ({}),
    );
    const found = await Promise.race([answered, late]);
    if (this.#position === position) this.#known = found;
    return found;
  }
}
