/** How well a ranker ranks graded queries: nDCG@10 by class. */
import { CLASSES, type GradedQuery, type QueryClass } from './graded-set.js'
import type { Ranker } from './rankers.js'

/** `all` is the mean of the classes, so that none counts more for having more queries. */
export type Scores = Record<QueryClass | 'all', number>

const dcg = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

export const scoresOf = async (ranker: Ranker, queries: readonly GradedQuery[]): Promise<Scores> => {
  const found: Record<QueryClass, number[]> = { keyword: [], paraphrase: [], intent: [] }
  for (const { class: name, query, grades } of queries) {
    const ranked = await ranker(query)
    const best = Object.values(grades).sort((one, other) => other - one)
    found[name].push(dcg(ranked.map((slug) => grades[slug] ?? 0)) / dcg(best))
  }
  const [keyword, paraphrase, intent] = CLASSES.map((name) => mean(found[name])) as [number, number, number]
  return { keyword, paraphrase, intent, all: mean([keyword, paraphrase, intent]) }
}
