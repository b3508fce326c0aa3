/** Random numbers that are the same in each run with the same seed. */

/** @typedef {() => number} Random a number of at least 0 and below 1 */

/**
 * Mulberry32.
 * @param {number} seed
 * @returns {Random}
 */
export const seeded = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** An exponential distribution: times between events that do not know of each other. */
export const exponential = (/** @type {Random} */ random, /** @type {number} */ mean) => -Math.log(1 - random()) * mean

/**
 * A Pareto distribution that is cut at a largest value: few large ones, many small ones.
 * @param {Random} random
 * @param {{ least: number, most: number, exponent: number }} shape
 */
export const boundedPareto = (random, { least, most, exponent }) => {
  const ratio = (least / most) ** exponent
  return least / (1 - random() * (1 - ratio)) ** (1 / exponent)
}
