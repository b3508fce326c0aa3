/** A ranker's marks over graded queries, by class. */
import { CLASSES, type GradedQuery, type QueryClass } from './graded-set.js'
import { mean, ndcg10, recall5, reciprocalRank } from './measures.js'
import type { Ranker } from './rankers.js'

export interface Marks { ndcg: number, recall: number, mrr: number }

/** `all` is the mean of the classes, so that none counts more for having more queries. */
export type Scores = Record<QueryClass | 'all', Marks>

export interface Judged extends Marks {
  graded: GradedQuery
  ranked: string[]
}

export const judge = async (ranker: Ranker, queries: readonly GradedQuery[]): Promise<Judged[]> => {
  const judged: Judged[] = []
  for (const graded of queries) {
    const ranked = (await ranker(graded.query)).slice(0, 10)
    judged.push({
      graded,
      ranked,
      ndcg: ndcg10(ranked, graded.grades),
      recall: recall5(ranked, graded.grades),
      mrr: reciprocalRank(ranked, graded.grades)
    })
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
