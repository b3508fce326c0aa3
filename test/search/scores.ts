/** A ranker's marks over graded queries, by class. */
import { CLASSES, type GradedQuery, type QueryClass } from './graded-set.js'
import type { Ranker } from './rankers.js'

export interface Marks { ndcg: number, recall: number, mrr: number }

/** `all` is the mean of the classes, so that none counts more for having more queries. */
export type Scores = Record<QueryClass | 'all', Marks>

interface Judged extends Marks { graded: GradedQuery }

const gain = (grade: number, index: number): number => (2 ** grade - 1) / Math.log2(index + 2)
const dcg = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, index) => sum + gain(grade, index), 0)

// ndcg: of the first ten. recall: the share of what is graded 2 or 3 among the first five. mrr: one over the place of the first 3.
const marksOfRanking = (ranked: readonly string[], grades: Readonly<Record<string, number>>): Marks => {
  const wanted = Object.keys(grades).filter((id) => grades[id]! >= 2)
  const place = ranked.findIndex((id) => grades[id] === 3)
  return {
    ndcg: dcg(ranked.map((id) => grades[id] ?? 0)) / dcg(Object.values(grades).sort((one, other) => other - one)),
    recall: wanted.filter((id) => ranked.slice(0, 5).includes(id)).length / Math.min(5, wanted.length),
    mrr: place === -1 ? 0 : 1 / (place + 1)
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

export const judge = async (ranker: Ranker, queries: readonly GradedQuery[]): Promise<Judged[]> => {
  const judged: Judged[] = []
  for (const graded of queries) {
    const ranked = (await ranker(graded.query)).slice(0, 10)
    judged.push({ graded, ...marksOfRanking(ranked, graded.grades) })
  }
  return judged
}

export const scoresOf = (judged: readonly Judged[]): Scores => {
  const byClass = CLASSES.map((name) => [name, marksOf(judged.filter(({ graded }) => graded.class === name))] as const)
  return { ...Object.fromEntries(byClass), all: marksOf(byClass.map(([, marks]) => marks)) } as Scores
}

const marksOf = (of: readonly Marks[]): Marks => ({
  ndcg: mean(of.map(({ ndcg }) => ndcg)),
  recall: mean(of.map(({ recall }) => recall)),
  mrr: mean(of.map(({ mrr }) => mrr))
})
