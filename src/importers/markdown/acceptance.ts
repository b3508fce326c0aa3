/** Finds acceptance criteria: boxes below their heading or bold line, and requirements that a task names. */
import type { Criterion } from '../../planning/records.js'
import { oneLine, type Block } from './blocks.js'
import type { TaskBox } from './tasks.js'

const CRITERIA = /\b(?:acceptance|(?:success|exit|completion) criteria|definition of done)\b|受け入れ|验收/i

/** Whether the heading or the bold line above the box says that it is a criterion. "Tasks & Acceptance" has both. */
export const isCriterion = ({ headings, label }: TaskBox): boolean => {
  const heading = headings.at(-1)?.text ?? ''
  return CRITERIA.test(label) || (CRITERIA.test(heading) && !/\btasks\b/i.test(heading))
}

/** The criterion of a box, without the number `#1` that Backlog.md writes. */
export const criterionOf = ({ text, mark }: TaskBox): Criterion => ({
  text: text.replace(/^#\d+\s+/, ''),
  met: /[xX]/.test(mark)
})

const ID = /\b(?:N?FR|SC|AC)-\d+[a-z]?\b/g

/** The requirements of spec-kit in lists such as `- **FR-001**: …`, by their ids. */
export const requirementsById = (blocks: readonly Block[]): Map<string, string> => {
  const requirements = new Map<string, string>()
  for (const block of blocks) {
    const id = block.kind === 'item' && /^[*_`]{2}((?:N?FR|SC|AC)-\d+[a-z]?)\b/.exec(block.text)?.[1]
    if (id) requirements.set(id, oneLine(block.text))
  }
  return requirements
}

export const namedRequirements = (text: string, requirements: ReadonlyMap<string, string>): Criterion[] =>
  namedBy([...text.matchAll(ID)].map(([id]) => id), requirements)

/** The criteria of Kiro by requirement and number, such as `2.1`. */
export const criteriaByNumber = (blocks: readonly Block[]): Map<string, string> => {
  const criteria = new Map<string, string>()
  let requirement: string | undefined
  for (const block of blocks) {
    if (block.kind === 'heading') requirement = /^(?:requirement|要件|需求)\s*(\d+)/i.exec(block.text)?.[1] ?? requirement
    else if (block.kind === 'item' && block.number !== undefined && !block.parent && requirement !== undefined) {
      const key = `${requirement}.${block.number}`
      if (!criteria.has(key)) criteria.set(key, oneLine(block.text))
    }
  }
  return criteria
}

/** The criteria that `_Requirements: 1.1, 2.3_` below a task names. */
export const namedCriteria = (body: string, criteria: ReadonlyMap<string, string>): Criterion[] => {
  const named = /^[-*\s]*_?Requirements?\s*[:：]\s*([\d.,\s]+)/im.exec(body)?.[1] ?? ''
  return namedBy(named.split(/[\s,]+/), criteria)
}

const namedBy = (ids: readonly string[], texts: ReadonlyMap<string, string>): Criterion[] =>
  [...new Set(ids)].flatMap((id) => {
    const text = texts.get(id)
    return text === undefined || text === '' ? [] : [{ text, met: false }]
  })
