// Figures of several rounds, and the table that a bench ends with: the median of each build, the median of the rounds' ratios, the aim.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { markdownTable } from '../markdown.mjs'

/** The options of a bench: --against, and those that have a default. A default that is a number makes a number. */
export const optionsOf = (defaults) => {
  const texts = Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: `${value}` }])
  const { values } = parseArgs({ options: { against: { type: 'string' }, ...Object.fromEntries(texts) } })
  return Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, typeof defaults[name] === 'number' ? Number(value) : value]))
}

/** The number that so large a share of the others is below. */
export const quantile = (numbers, share) => {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(share * (sorted.length - 1))]
}

export const median = (numbers) => quantile(numbers, 0.5)

/**
 * Rounds whose figures are not noted: a connection plans a statement six times before it keeps a plan, and a search reads a text that it
 * shows for the first time.
 */
export const WARM_UP_ROUNDS = 3

/** Runs `work` for each contender in turn, so many times, each time in another order. */
export const inTurns = async (rounds, contenders, work) => {
  for (let round = 0; round < rounds; round++) {
    const start = round % contenders.length
    for (const contender of [...contenders.slice(start), ...contenders.slice(0, start)]) await work(contender, round)
  }
}

/** Collects figures of builds by row, in the order in which the rows are first noted. */
export const createFigures = (builds) => {
  const rows = new Map()
  const shown = (number) => number === undefined || Number.isNaN(number)
    ? '–'
    : number.toFixed(number >= 100 ? 0 : number >= 10 ? 1 : 2)
  /** Notes a figure of a build; `aim` is that of the row. */
  const note = (row, { name }, figure, aim = '') => {
    if (!rows.has(row)) rows.set(row, { aim, byBuild: new Map(builds.map((build) => [build.name, []])) })
    rows.get(row).byBuild.get(name).push(figure)
  }
  return {
    /** Notes figures of a build as `note` does, after the rounds to warm up. */
    after: (round, build) => (row, figure, aim) => {
      if (round >= WARM_UP_ROUNDS) note(row, build, figure, aim)
    },
    note,
    /** Prints the table and ends this process, with what it has open. */
    end (what) {
      console.log(`${what}; ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the end, ` +
        `Node ${process.versions.node}\n`)
      const both = builds.length === 2
      const lines = [...rows].map(([row, { aim, byBuild }]) => {
        const all = [...byBuild.values()]
        const ratios = both ? [all[1].map((figure, round) => figure / all[0][round])] : []
        return [row, ...[...all, ...ratios].map((some) => shown(median(some))), aim]
      })
      console.log(markdownTable(['', ...builds.map(({ name }) => name), ...both ? ['this / other'] : [], 'aim'], lines))
      process.exit()
    }
  }
}
