/** How good a ranking is: 0 to 1, of the identifiers that a ranker gave, best first, and the grades of those that are any use. */

export type Grades = Readonly<Record<string, number>>

const gain = (grade: number, index: number): number => (2 ** grade - 1) / Math.log2(index + 2)

/** Normalised discounted cumulative gain of the first ten. */
export const ndcg10 = (ranked: readonly string[], grades: Grades): number => {
  const dcg = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, grade, index) => sum + gain(grade, index), 0)
  return dcg(ranked.map((id) => grades[id] ?? 0)) / dcg(Object.values(grades).sort((one, other) => other - one))
}

/** The share of what is graded 2 or 3 that stands among the first five. */
export const recall5 = (ranked: readonly string[], grades: Grades): number => {
  const wanted = Object.keys(grades).filter((id) => grades[id]! >= 2)
  return wanted.filter((id) => ranked.slice(0, 5).includes(id)).length / Math.min(5, wanted.length)
}

/** One over the place of the first that is graded 3, of the first ten. */
export const reciprocalRank = (ranked: readonly string[], grades: Grades): number => {
  const place = ranked.slice(0, 10).findIndex((id) => grades[id] === 3)
  return place === -1 ? 0 : 1 / (place + 1)
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
