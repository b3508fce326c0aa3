/** A scale of latencies whose steps grow by half: step 1 is up to 1 ms, the last one more than 37 seconds. */

const FACTOR = 1.5
export const LATENCY_STEPS = 28

/** The SQL expression of the step, from 1 on, of a duration in milliseconds. */
export const latencyStep = (durationMs: string): string =>
  `least(${LATENCY_STEPS}, greatest(1, ceil(ln(greatest(${durationMs}, 0.001)) / ln(${FACTOR}::float8)) + 1))::int`

/** The milliseconds that this share (0 to 1) of calls stayed below, within its step; null without calls. */
export const percentile = (counts: readonly number[], share: number): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= total * share) {
      const lower = index === 0 ? 0 : FACTOR ** (index - 1)
      const latency = lower + (FACTOR ** index - lower) * (total * share - before) / count
      return Math.round(latency * 100) / 100
    }
    before += count
  }
  return null
}
