/** Short, soft sounds, made on the spot; silent if muted, and until the visitor's first gesture, as browsers ask for. */

import { setting } from "../net/settings.js";

/** @type {AudioContext | undefined} */
let context;

/**
 * @param {number} frequency in hertz
 * @param {number} at seconds from now
 * @param {number} length in seconds
 * @param {number} loudness from 0 to 1
 * @param {OscillatorType} type
 * @param {number} to the frequency at the end
 */
function note(frequency, at, length, loudness, type = "sine", to = frequency) {
  const audio = (context ??= new AudioContext());
  const start = audio.currentTime + at;
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  voice.type = type;
  voice.frequency.setValueAtTime(frequency, start);
  voice.frequency.exponentialRampToValueAtTime(to, start + length);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime((loudness * setting("volume")) / 100, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(start);
  voice.stop(start + length + 0.05);
}

const TUNES = {
  set: () => note(210, 0, 0.11, 0.16, "triangle", 120),
  burst: () => [0, 0.09, 0.18].forEach((at) => note(130, at, 0.22, 0.18, "triangle", 45)),
  roll: () => [0, 0.07, 0.13, 0.22].forEach((at, i) => note(420 - 40 * i, at, 0.05, 0.1, "triangle", 260)),
  turn: () => note(520, 0, 0.16, 0.05),
  end: () => [392, 494, 587].forEach((tone, i) => note(tone, i * 0.14, 0.4, 0.08)),
  hurry: () => [0, 0.16, 0.32].forEach((at) => note(740, at, 0.09, 0.09, "triangle")),
  no: () => note(160, 0, 0.14, 0.08, "sine", 140),
};

/** @param {keyof typeof TUNES} name */
export function play(name) {
  if (!setting("sounds") || !setting("volume") || navigator.userActivation?.hasBeenActive === false) return;
  if (context?.state === "suspended") context.resume();
  TUNES[name]();
}
