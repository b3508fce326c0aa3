/** Round numbers for the axis of a chart. */

/** Returns ticks from 0 to a round number that is at least `max`: three to six of them, whole numbers. */
export const niceTicks = (max: number): number[] => {
  if (max <= 0) return [0, 1]
  const rough = max / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude)
    .find((candidate) => candidate >= rough && (candidate >= 1 ? Number.isInteger(candidate) : true)) ?? magnitude * 10)
  const count = Math.ceil(max / step)
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

/** Which buckets get a label so that none overlaps another; of equal neighbours the first one. Widths are in px. */
export const labelledBuckets = (labels: readonly string[], width: number, labelWidth: number): Set<number> => {
  const changes = labels.flatMap((label, at) => label === labels[at - 1] ? [] : [at])
  const [, second = 0, third = labels.length] = changes
  // A day that begins before the chart may be cut short.
  const isCut = second < third - second && second * width / Math.max(1, labels.length) < labelWidth
  const first = isCut ? changes.slice(1) : changes
  const step = labelStep(first.length, width, labelWidth)
  return new Set(first.filter((_, at) => at % step === 0))
}

/** Every how many buckets a label fits if one needs `labelWidth` of `width` px. */
const labelStep = (buckets: number, width: number, labelWidth: number): number =>
  Math.max(1, Math.ceil(buckets / Math.max(1, Math.floor(width / labelWidth))))

/** Where the label of a bar stands, as attributes of its `text`: below the bar, but inside the chart. */
export const labelPlace = (
  centre: number, width: number, labelWidth: number, first: boolean
): { x: number, 'text-anchor': 'start' | 'middle' | 'end' } => {
  if (first) return { x: centre, 'text-anchor': 'start' }
  return centre + labelWidth / 2 > width ? { x: width, 'text-anchor': 'end' } : { x: centre, 'text-anchor': 'middle' }
}
