/** The limits of schemas/records. Lengths are in code points, as in JSON Schema. */

export const LIMITS = {
  explorationTitle: 500,
  groupTitle: 500,
  itemTitle: 2000,
  itemDescription: 50_000,
  itemId: 128,
  question: 20_000,
  answer: 200_000,
  section: 500,
  summary: 1_000_000,
  markdown: 5_000_000,
  acceptance: 200,
  criterion: 5000,
  decisionTitle: 1000,
  decisionBody: 500_000,
  url: 2048,
  tag: 100,
  tags: 100,
  summaries: 50,
  questions: 1000,
  groups: 1000,
  items: 10_000,
  dependencies: 50_000,
  gates: 1000
} as const

/** Cuts a text at the limit, with an ellipsis, never inside a surrogate pair. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const points = [...text.slice(0, limit * 2)]
  return points.length <= limit && text.length <= limit * 2 ? text : `${points.slice(0, limit - 1).join('')}…`
}
