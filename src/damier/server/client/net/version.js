/** The version of the program that this page came from, as the address of its files names it. */

/** @param {string} address of a module */
export const versionIn = (address) => /\/static\/([0-9a-f]{12})\//.exec(address)?.[1];

const version = versionIn(import.meta.url);

/**
 * The query of requests whose answers change only with the program: the browser keeps them.
 *
 * @type {Record<string, string>}
 */
export const KEPT = version ? { v: version } : {};
