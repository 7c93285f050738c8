/**
 * The icons: one set of line drawings, 24 units wide, in the colour of the text around them. None is a character of a font.
 *
 * @typedef {keyof typeof ICONS} Icon
 */

const SVG = "http://www.w3.org/2000/svg";
const SPEAKER = "M4 10v4h4l5 4V6L8 10z";
const UNDO = "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12H8";
const PREV = "M14 6l-6 6 6 6";
const NEXT = "M10 6l6 6-6 6";

const ICONS = {
  // In a match
  undo: UNDO,
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1.1.9 1.7V16h5.4v-.5c0-.6.3-1.2.9-1.7A6 6 0 0 0 12 3",
  resign: "M6 21V4M6 5c4-3 8 3 13 0v9c-5 3-9-3-13 0",
  draw: "M4.5 7 7.5 5v7M18 4 6 20M14 15.2a2.4 2.4 0 0 1 4.8.2c0 1.8-4.6 3.3-4.8 5.1h5",
  flip: "M7 4v16M7 20l-3-3M7 20l3-3M17 20V4M17 4l-3 3M17 4l3 3",
  turn: "M20 12a8 8 0 1 1-2.5-5.8M20 3v4h-4",
  turnback: "M4 12a8 8 0 1 0 2.5-5.8M4 3v4h4",
  values: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  chat: "M4 5h16v11H11l-5 4v-4H4z",
  play: "M8 5l11 7-11 7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  keyboard: "M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8",
  eye: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  lens: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  help: "M9 9a3 3 0 1 1 4 3c-.7.4-1 .9-1 2M12 18h.01",
  // Settings
  sound: `${SPEAKER}M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11`,
  mute: `${SPEAKER}M16.5 9.5l5 5M21.5 9.5l-5 5`,
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 3v18M12 7.5h7.5M12 12h9M12 16.5h7.5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21.5h4M12 3v2",
  language: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c4.5 5 4.5 13 0 18M12 3c-4.5 5-4.5 13 0 18",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20.5a7.5 7.5 0 0 1 15 0",
  settings: "M4 7h8M16 7h4M4 17h3M11 17h9M12 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  // Steps
  prev: PREV,
  next: NEXT,
  back: PREV,
  on: NEXT,
  first: "M17 6l-6 6 6 6M7 6v12",
  last: "M7 6l6 6-6 6M17 6v12",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  again: "M5 12a7 7 0 1 1 2 5M5 20v-4h4",
  // Editing and sharing
  edit: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  plus: "M12 5v14M5 12h14",
  check: "M5 13l4 4 10-10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  share: "M12 15V4M8 8l4-4 4 4M5 12v8h14v-8",
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
  promote: "M12 20V6M6 11l6-6 6 6M5 3h14",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  restore: UNDO,
  warning: "M12 4 2.5 20h19zM12 10v4.5M12 17.2v.3",
};

/**
 * Makes an icon; the text beside it, or the label of its button, says what it means.
 *
 * @param {Icon} name
 */
export function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  return drawing;
}
