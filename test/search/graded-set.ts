/**
 * The graded set: explorations of many domains, and queries that say which of them help and how much (3 is what was asked for, 2 and 1
 * are useful too). It was written before anything was tuned; half of it is to tune by, the other half to report by.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Exploration, Line } from '../../src/planning/records.js'

export const CLASSES = ['keyword', 'paraphrase', 'intent'] as const
export type QueryClass = typeof CLASSES[number]
export const HALVES = ['tune', 'report'] as const
export type Half = typeof HALVES[number]

export interface GradedQuery {
  half: Half
  class: QueryClass
  query: string
  /** By the last part of an exploration's address. */
  grades: Record<string, 1 | 2 | 3>
}

export interface GradedSet {
  lines: Line[]
  queries: GradedQuery[]
  /** What is asked that nothing answers. */
  offTopic: string[]
}

const file = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const ndjson = <Value>(path: string): Value[] => file(path).trim().split('\n').map((line) => JSON.parse(line) as Value)

export const gradedSet = (): GradedSet => ({
  lines: [...ndjson<Line>('../../src/planning/sample.ndjson'), ...ndjson<Line>('corpus.ndjson')],
  queries: ndjson<GradedQuery>('queries.ndjson'),
  offTopic: file('off-topic.txt').trim().split('\n')
})

/**
 * The explorations of a real file (Kubernetes' enhancement proposals) that are asked for, and some of the others, with the queries about
 * them. These texts are long: their paraphrases share no word with the title and the first summary alone.
 */
export const realSet = async (path: string, size = 200): Promise<GradedSet> => {
  const queries = ndjson<GradedQuery>('queries-keps.ndjson')
  const wanted = new Set(queries.flatMap(({ grades }) => Object.keys(grades)))
  const lines: Line[] = []
  const bytes = createReadStream(path)
  for await (const line of createInterface({ input: path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })) {
    if (line !== '') lines.push(JSON.parse(line) as Line)
  }
  const all = explorationsOf(lines)
  const others = all.filter((one) => !wanted.has(slugOf(one)))
  const step = Math.max(1, Math.floor(others.length / Math.max(1, size - wanted.size)))
  const askedFor = all.filter((one) => wanted.has(slugOf(one)))
  const taken = new Set([...askedFor, ...others.filter((_, index) => index % step === 0)].map(({ id }) => id))
  return {
    lines: lines.filter((line) => line.type === 'workspace' || (line.type === 'exploration' && taken.has(line.id)) ||
      (line.type === 'requirement_package' && taken.has(line.exploration_id))),
    queries,
    offTopic: []
  }
}

export const explorationsOf = (lines: readonly Line[]) =>
  lines.filter((line): line is Line & Exploration & { type: 'exploration' } => line.type === 'exploration')

const slugOf = ({ url }: Pick<Exploration, 'url'>): string => url?.split('/').at(-1) ?? ''
