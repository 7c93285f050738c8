/** How pieces move and vanish: no action takes longer than 300 milliseconds in all. */

export const MOTION = { duration: 210, easing: "cubic-bezier(.3, .1, .2, 1)" };
