/**
 * Pieces, marks and dice as SVG: the shapes of `damier/core/glyphs.py`, their colours from the style sheet.
 *
 * Lengths are in cells and (0, 0) is the middle of the cell. The class of a colour (`noir`, `blue`) on the group around
 * a piece sets its paint; `f-` classes fill with it.
 *
 * @typedef {{name: string, shape: string, colour: string, pattern: string, letter: string}} Look
 */

import { drawn, s } from "../ui/dom.js";

export const DRUM = { width: 0.62, depth: 0.345, height: 0.4 };

const FUSE = "M.2-.21C.25-.33.33-.35.37-.27";
const number = (value) => String(Math.round(value * 1000) / 1000);

/** A piece without its marks. */
export function pieceNodes(look, isLit = false) {
  if (look.shape === "drum") return drum(look);
  if (look.shape === "bomb") return drawn(bomb(look, isLit));
  if (look.shape === "stone") return drawn(stone(look));
  return drawn(disc(look));
}

/** The gradients of round pieces; once in a page. */
export function gradients() {
  const colours = ["noir", "blanc", "green", "red", "blue", "yellow", "mauve"];
  return s(
    "svg",
    { class: "unseen", "aria-hidden": "true" },
    colours.map((colour) =>
      s(
        "radialGradient",
        { id: `ball-${colour}`, class: colour, cx: ".36", cy: ".3", r: ".75" },
        s("stop", { offset: 0, class: "stop-gleam" }),
        s("stop", { offset: 0.45, class: "stop-fill" }),
        s("stop", { offset: 1, class: "stop-shade" }),
      ),
    ),
  );
}

function bomb(look, isLit) {
  return (
    '<ellipse cx=".01" cy=".31" rx=".26" ry=".06" class="shadow"/>' +
    `<path d="${FUSE}" class="line s-edge" stroke-width=".075"/><path d="${FUSE}" class="line s-fuse" stroke-width=".04"/>` +
    (isLit ? `<g class="flame">${flame(0.38, -0.27)}</g>` : "") +
    '<path d="M.06-.2L.17-.29L.29-.15L.19-.05Z" class="f-shade s-edge" stroke-width=".025" stroke-linejoin="round"/>' +
    `<circle cx="-.02" cy=".05" r=".28" fill="url(#ball-${look.colour})" class="s-edge" stroke-width=".028"/>` +
    '<path d="M-.21-.01A.2.2 0 0 1-.08-.14" class="line glint" stroke-width=".045"/>'
  );
}

function flame(x, y) {
  const points = Array.from({ length: 16 }, (_, i) => {
    const [radius, angle] = [i % 2 ? 0.075 : 0.15, (Math.PI * i) / 8];
    return `${number(x + radius * Math.cos(angle))},${number(y + radius * Math.sin(angle))}`;
  });
  return (
    `<polygon points="${points.join(" ")}" class="spark" stroke-width=".02" stroke-linejoin="round"/>` +
    `<circle cx="${number(x)}" cy="${number(y)}" r=".035" fill="#fff"/>`
  );
}

function disc(look) {
  const ring = look.pattern === "ring" ? '<circle cy="-.02" r=".2" class="s-pattern ring" stroke-width=".022"/>' : "";
  return (
    '<ellipse cx=".015" cy=".07" rx=".335" ry=".32" class="shadow"/>' +
    '<circle cy=".025" r=".315" class="f-shade s-edge" stroke-width=".028"/>' +
    `<circle cy="-.02" r=".3" class="f-fill"/>${ring}${pattern(look, 0.18, 0.18, 0, -0.02)}` +
    '<path d="M-.245-.075A.25.25 0 0 1-.07-.255" class="line s-gleam" stroke-width=".03"/>'
  );
}

function stone(look) {
  const body = (y, cls) =>
    `<rect x="-.33" y="${y}" width=".66" height=".64" rx=".15" class="${cls}" stroke-width=".026"/>`;
  return (
    body("-.25", "shadow") +
    body("-.29", "f-shade s-edge") +
    '<rect x="-.317" y="-.335" width=".634" height=".61" rx=".14" class="f-fill"/>' +
    '<path d="M-.28-.12V-.2Q-.28-.3-.18-.3H.1" class="line s-gleam" stroke-width=".028"/>' +
    pattern(look, 0.2, 0.2, 0, -0.03)
  );
}

/** The pattern of a player on a face that reaches rx to either side of (x, y) and ry up and down. */
function pattern(look, rx, ry, x = 0, y = 0) {
  const thin = number(Math.min(rx, ry) * 0.2);
  const line = (d) => `<path d="${d}" class="line s-pattern" stroke-width="${thin}"/>`;
  if (look.pattern === "stripes")
    return line([-1, 0, 1].map((i) => `M${number(x - rx)} ${number(y + i * ry * 0.75)}h${number(2 * rx)}`).join(""));
  if (look.pattern === "crosses") {
    const [ax, ay] = [rx * 0.62, ry * 0.62];
    const at = (dx, dy) => `${number(x + dx)} ${number(y + dy)}`;
    return line(`M${at(-ax, -ay)}L${at(ax, ay)}M${at(ax, -ay)}L${at(-ax, ay)}`);
  }
  return look.pattern === "dots" ? dots(rx, ry, x, y) : "";
}

function dots(rx, ry, x, y) {
  const flat = Math.min(rx, ry) * 0.19;
  const wide = flat * Math.max(1, rx / ry);
  const steps = [-0.8, 0, 0.8];
  return steps
    .flatMap((i) =>
      steps.map(
        (j) =>
          `<ellipse cx="${number(x + i * rx)}" cy="${number(y + j * ry)}" rx="${number(wide)}" ry="${number(flat)}" class="f-pattern"/>`,
      ),
    )
    .join("");
}

function drum(look) {
  const { width: rx, depth: ry, height } = DRUM;
  const top = -height;
  const edge = [number(rx * 0.62), number(top + ry * 0.78)];
  const nodes = drawn(
    `<path d="M${-rx} ${top}V0A${rx} ${ry} 0 0 0 ${rx} 0V${top}Z" class="f-fill s-edge" stroke-width=".028" stroke-linejoin="round"/>` +
      `<path d="M${edge[0]} ${edge[1]}v${height}A${rx} ${ry} 0 0 0 ${rx} 0V${top}A${rx} ${ry} 0 0 1 ${edge[0]} ${edge[1]}Z" class="f-shade half"/>` +
      `<ellipse cy="${top}" rx="${rx}" ry="${ry}" class="f-gleam s-edge" stroke-width=".028"/>` +
      pattern(look, rx * 0.55, ry * 0.55, 0, top) +
      `<text y="${number(top / 2 + ry)}" dy=".1" class="number f-pattern"/>`,
  );
  nodes.at(-1).textContent = look.letter;
  return nodes;
}

/** A piece as a small picture for lists: of flat pieces as they are, of drums a tile with the number. */
export function smallPiece(look) {
  const inner = look.shape === "drum" ? chip(look) : pieceNodes(look);
  const box = look.shape === "drum" ? "-.5 -.5 1 1" : "-.42 -.42 .84 .84";
  return s("svg", { viewBox: box, class: "small-piece", "aria-hidden": "true" }, s("g", { class: look.colour }, inner));
}

function chip(look) {
  const nodes = drawn(
    '<rect x="-.45" y="-.45" width=".9" height=".9" rx=".2" class="f-fill s-edge" stroke-width=".07"/>' +
      '<text y=".26" class="chip f-pattern"/>',
  );
  nodes[1].textContent = look.letter;
  return nodes;
}

/** What is drawn upon a piece for a mark; a mark without a picture of its own is a star. */
export function markNodes(mark) {
  return drawn(MARKS[mark] ?? `<g transform="translate(.22 .2)">${flame(0, 0)}</g>`);
}

const MARKS = {
  pinned:
    '<circle cx=".22" cy=".24" r=".135" class="badge" stroke-width=".02"/>' +
    '<path d="M.175 .23V.2a.045.045 0 0 1 .09 0V.23" class="line s-ink" stroke-width=".026"/>' +
    '<rect x=".15" y=".225" width=".14" height=".1" rx=".02" class="f-ink"/>',
  marker:
    '<ellipse cx=".03" cy=".035" rx=".11" ry=".1" class="shadow"/>' +
    '<circle cy="-.03" r=".105" class="pin" stroke-width=".03"/><circle cx="-.032" cy="-.062" r=".03" fill="#fff" fill-opacity=".8"/>',
  sage:
    '<g stroke="#2b1a10" stroke-width=".018" stroke-linejoin="round">' +
    '<path d="M-.25.27C-.25.08-.14.02 0 .02S.25.08.25.27Z" fill="#f4ead2"/><path d="M-.06.04L0 .2L.06.04" fill="#d9c79d"/>' +
    '<circle cy="-.29" r=".055" fill="#e9e4da"/><circle cy="-.11" r=".145" fill="#f2cfa6"/>' +
    '<path d="M-.145-.11C-.16-.22-.1-.27 0-.27S.16-.22.145-.11C.11-.17.06-.2 0-.2S-.11-.17-.145-.11Z" fill="#e9e4da"/>' +
    '<path d="M-.13-.07C-.13.1-.06.2 0 .25C.06.2.13.1.13-.07C.08-.01.04-.03 0-.03S-.08-.01-.13-.07Z" fill="#fffdf6"/></g>' +
    '<path d="M-.085-.125h.05M.035-.125h.05" stroke="#2b1a10" stroke-width=".024" stroke-linecap="round"/>' +
    '<path d="M-.03.02Q0 .035.03.02" fill="none" stroke="#2b1a10" stroke-width=".016" stroke-linecap="round"/>',
  monkey:
    '<g stroke="#2b1a10" stroke-width=".018" stroke-linejoin="round" fill="#8a5a34">' +
    '<circle cx="-.22" cy="-.03" r=".075"/><circle cx=".22" cy="-.03" r=".075"/>' +
    '<path d="M-.04-.22Q-.02-.3.06-.3Q.03-.26.05-.22Z"/><circle cy="-.03" r=".21"/></g>' +
    '<circle cx="-.22" cy="-.03" r=".038" fill="#e9bf95"/><circle cx=".22" cy="-.03" r=".038" fill="#e9bf95"/>' +
    '<circle cx="-.068" cy="-.065" r=".082" fill="#f0cfa8"/><circle cx=".068" cy="-.065" r=".082" fill="#f0cfa8"/>' +
    '<ellipse cy=".06" rx=".135" ry=".1" fill="#f0cfa8"/>' +
    '<circle cx="-.065" cy="-.06" r=".027" fill="#2b1a10"/><circle cx=".065" cy="-.06" r=".027" fill="#2b1a10"/>' +
    '<path d="M-.025.015h.01M.015.015h.01M-.07.075Q0 .125.07.075" fill="none" stroke="#2b1a10" stroke-width=".02" stroke-linecap="round"/>',
};

/** A burst where a piece goes. */
export const burstNodes = () => drawn(`<circle r=".3" class="blast"/><g transform="scale(2.4)">${flame(0, 0)}</g>`);

const PIPS = { 1: "5", 2: "37", 3: "357", 4: "1379", 5: "13579", 6: "134679" };

/** A die that shows so many points. */
export function die(points, label) {
  const spots = [...(PIPS[points] ?? "")].map((place) => {
    const [column, row] = [(place - 1) % 3, Math.floor((place - 1) / 3)];
    return s("circle", { cx: number((column - 1) * 0.26), cy: number((row - 1) * 0.26), r: ".095", class: "f-ink" });
  });
  return s(
    "svg",
    { viewBox: "-.52 -.52 1.04 1.04", class: "die", role: "img", "aria-label": label },
    s("rect", { x: "-.48", y: "-.48", width: ".96", height: ".96", rx: ".2", class: "die-face" }),
    spots,
  );
}
