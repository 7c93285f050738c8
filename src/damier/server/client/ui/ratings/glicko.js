/**
 * Glicko-2 as the server has it in ratings/glicko.py, for ratings that a browser keeps; docs/ratings.md.
 *
 * @typedef {{value: number, deviation: number, volatility: number}} Rating
 * @typedef {{opponent: Pick<Rating, "value" | "deviation">, score: number, weight?: number}} Comparison `score`: 1 for a
 *   win, 0 for a loss; `weight`: how much it counts, compared with a game
 */

export const FIRST_DEVIATION = 350;
export const FIRST_VOLATILITY = 0.06;
const CENTRE = 1500;
const LEAST_VALUE = 100;
const LEAST_DEVIATION = 45;
const MOST_VOLATILITY = 0.12;
const PERIOD_DAYS = 4;
const TAU = 0.5;
const SCALE = 400 / Math.log(10); // points in one unit of the paper's scale
const PRECISE = 1e-6;

/**
 * Returns a rating after some days without a game: only its deviation has grown.
 *
 * @param {Rating} rating
 * @param {number} days
 * @returns {Rating}
 */
export function aged(rating, days) {
  const spread = rating.volatility * SCALE;
  const grown = Math.sqrt(rating.deviation ** 2 + (spread ** 2 * Math.max(0, days)) / PERIOD_DAYS);
  return { ...rating, deviation: Math.min(FIRST_DEVIATION, grown) };
}

/**
 * Returns a rating after some results at the same time, by the steps of the paper.
 *
 * @param {Rating} rating
 * @param {readonly Comparison[]} results
 * @returns {Rating}
 */
export function rate(rating, results) {
  const value = (rating.value - CENTRE) / SCALE;
  const deviation = rating.deviation / SCALE;
  let told = 0; // how much the results tell: the inverse of the paper's v
  let surprise = 0;
  for (const { opponent, score, weight = 1 } of results) {
    const factor = certainty(opponent.deviation / SCALE);
    const expected = logistic(factor * (value - (opponent.value - CENTRE) / SCALE));
    told += weight * factor ** 2 * expected * (1 - expected);
    surprise += weight * factor * (score - expected);
  }
  told = Math.max(told, 1e-12);
  const volatility = Math.min(MOST_VOLATILITY, newVolatility(rating.volatility, deviation, 1 / told, surprise / told));
  const after = 1 / Math.sqrt(1 / deviation ** 2 + told);
  return {
    value: Math.max(LEAST_VALUE, CENTRE + SCALE * (value + after ** 2 * surprise)),
    deviation: Math.min(FIRST_DEVIATION, Math.max(LEAST_DEVIATION, after * SCALE)),
    volatility,
  };
}

/**
 * Returns the expected score of one against another, from 0 to 1.
 *
 * @param {Pick<Rating, "value" | "deviation">} rating
 * @param {Pick<Rating, "value" | "deviation">} opponent
 */
export const expectedScore = (rating, opponent) =>
  logistic(
    (certainty(Math.hypot(rating.deviation, opponent.deviation) / SCALE) * (rating.value - opponent.value)) / SCALE,
  );

/** @param {number} deviation */
const certainty = (deviation) => 1 / Math.sqrt(1 + (3 * deviation ** 2) / Math.PI ** 2);

/** @param {number} exponent */
const logistic = (exponent) => 1 / (1 + Math.exp(-Math.max(-500, Math.min(500, exponent))));

/**
 * Returns the volatility that is likeliest after a change, by the Illinois method (step 5).
 *
 * @param {number} volatility
 * @param {number} deviation
 * @param {number} variance
 * @param {number} change
 */
function newVolatility(volatility, deviation, variance, change) {
  const start = Math.log(volatility ** 2);
  const slope = (/** @type {number} */ x) => {
    const grown = deviation ** 2 + variance + Math.exp(x);
    return (Math.exp(x) * (change ** 2 - grown)) / (2 * grown ** 2) - (x - start) / TAU ** 2;
  };
  let low = start;
  let high = start - TAU;
  if (change ** 2 > deviation ** 2 + variance) high = Math.log(change ** 2 - deviation ** 2 - variance);
  else while (slope(high) < 0) high -= TAU;
  let atLow = slope(low);
  let atHigh = slope(high);
  while (Math.abs(high - low) > PRECISE) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const atBetween = slope(between);
    if (atBetween * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, atBetween];
  }
  return Math.exp(low / 2);
}
