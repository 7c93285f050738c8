/**
 * Makes and uses passkeys: what the server asks for in JSON becomes what browsers take, and back.
 *
 * @import { PasskeyChallenge } from "./wire.d.ts"
 */

import { t } from "./language.js";

/** @param {string} text in base64url */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer} buffer */
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Whether this browser has passkeys on this page: only where the connection is secure. */
export const hasPasskeys = () => typeof PublicKeyCredential === "function" && Boolean(navigator.credentials);

/**
 * Has the browser make a passkey; returns what the server takes.
 *
 * @param {PasskeyChallenge} challenge
 */
export async function makePasskey({ number, options }) {
  const given = /** @type {any} */ (options);
  const publicKey = {
    ...given,
    challenge: bytes(given.challenge),
    user: { ...given.user, id: bytes(given.user.id) },
    excludeCredentials: given.excludeCredentials.map((/** @type {any} */ each) => ({ ...each, id: bytes(each.id) })),
  };
  const made = await asked(() => navigator.credentials.create({ publicKey }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return answer(number, made, {
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  });
}

/**
 * Has the browser use a passkey; returns what the server takes.
 *
 * @param {PasskeyChallenge} challenge
 */
export async function usePasskey({ number, options }) {
  const given = /** @type {any} */ (options);
  const publicKey = { ...given, challenge: bytes(given.challenge), allowCredentials: [] };
  const used = await asked(() => navigator.credentials.get({ publicKey }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return answer(number, used, {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    ...(response.userHandle && { userHandle: text(response.userHandle) }),
  });
}

/**
 * @param {() => Promise<Credential | null>} ask
 * @returns {Promise<PublicKeyCredential>}
 */
async function asked(ask) {
  if (!hasPasskeys()) throw new Error(t("account.passkey.none"));
  const found = await ask().catch(() => null);
  if (!found) throw new Error(t("account.passkey.failed"));
  return /** @type {PublicKeyCredential} */ (found);
}

/**
 * @param {string} number
 * @param {PublicKeyCredential} credential
 * @param {Record<string, string>} response
 */
const answer = (number, credential, response) => ({
  number,
  credential: { id: credential.id, rawId: text(credential.rawId), type: credential.type, response },
});
