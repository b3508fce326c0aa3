/** What an import keeps of explorations, answers and packages that were changed here since the last one. */
import type { Queryable } from '../../db/sql/database.js'
import type { ExplorationLine, RequirementPackageLine } from '../../planning/records.js'
import { conflictOf, differing, fieldsOf, type ImportConflict } from './import-conflict.js'

/** Returns the packages that are to be written: of those that were changed here, the ones that say the same. */
export const keepPackages = async (
  tx: Queryable, records: readonly RequirementPackageLine[]
): Promise<{ records: RequirementPackageLine[], conflicts: ImportConflict[] }> => {
  const rows = await tx.query<{ key: string, markdown: string, version: number }>(
    `select exploration_id || ' ' || artifact_type as key, markdown, version from requirement_packages
     where exploration_id = any($1::uuid[]) and changed_here`, [records.map(({ exploration_id: id }) => id)])
  const changed = new Map(rows.map((row) => [row.key, row]))
  const conflicts: ImportConflict[] = []
  const kept = records.filter((record) => {
    const { exploration_id: id, artifact_type: type } = record
    const here = changed.get(`${id.toLowerCase()} ${type}`)
    if (!here || here.markdown === record.markdown) return true
    const named = { kind: 'edit_package', artifact_type: type }
    conflicts.push({
      ...conflictOf(id.toLowerCase(), named, ['markdown'], record, here), base: { version: here.version }
    })
    return false
  })
  return { records: kept, conflicts }
}

const OF_EXPLORATION = ['title', 'status', 'tags', 'summaries'] as const
type StoredExploration = Pick<ExplorationLine, 'id' | typeof OF_EXPLORATION[number]> & { changed_here: string[] }

/** Returns the explorations with what was edited here, and the marks of that. */
export const keepExplorations = async (
  tx: Queryable, records: readonly ExplorationLine[]
): Promise<{ records: Array<ExplorationLine & { changed_here?: string[] }>, conflicts: ImportConflict[] }> => {
  const { records: answered, conflicts } = await keepAnswers(tx, records)
  const rows = await tx.query<StoredExploration>(
    `select id, title, status, tags, summaries, changed_here from explorations
     where id = any($1::uuid[]) and changed_here <> '{}'`, [records.map(({ id }) => id)])
  const stored = new Map(rows.map((row) => [row.id, row]))
  return {
    conflicts,
    records: answered.map((record) => {
      const id = record.id.toLowerCase()
      const here = stored.get(id)
      const marked = OF_EXPLORATION.filter((field) => here?.changed_here.includes(field))
      const fields = here ? differing(marked, here, record) : []
      if (!here || fields.length === 0) return record
      conflicts.push(conflictOf(id, { kind: 'edit_exploration' }, fields, record, here))
      return { ...record, ...fieldsOf(here, fields), changed_here: fields }
    })
  }
}

/** Returns the explorations with the answers that were given here. */
const keepAnswers = async (
  tx: Queryable, records: readonly ExplorationLine[]
): Promise<{ records: ExplorationLine[], conflicts: ImportConflict[] }> => {
  const rows = await tx.query<{ key: string, answer: string | null, status: 'open' | 'answered' }>(
    `select exploration_id || ' ' || id as key, answer, status from questions
     where exploration_id = any($1::uuid[]) and changed_here`, [records.map(({ id }) => id)])
  const changed = new Map(rows.map((row) => [row.key, row]))
  const conflicts: ImportConflict[] = []
  const said: string[] = []
  const keep = (record: ExplorationLine): ExplorationLine => ({
    ...record,
    questions: record.questions.map((question) => {
      const of = record.id.toLowerCase()
      const here = changed.get(`${of} ${question.id}`)
      if (!here) return question
      // That a file still has it open is no other answer.
      if (oneLine(here.answer) === oneLine(question.answer)) said.push(`${of} ${question.id}`)
      else if (question.answer !== null) {
        const named = { kind: 'answer_question', question_id: question.id }
        conflicts.push(conflictOf(of, named, ['answer'], question, here))
      }
      return { ...question, ...fieldsOf(here, ['answer', 'status']) }
    })
  })
  const kept = changed.size === 0 ? [...records] : records.map(keep)
  if (said.length > 0) {
    // From now on the file decides.
    await tx.query(
      `update questions set changed_here = false
       where exploration_id = any($1::uuid[]) and exploration_id || ' ' || id = any($2::text[])`,
      [records.map(({ id }) => id), said])
  }
  return { records: kept, conflicts }
}

/** A file has an answer on one line. */
const oneLine = (answer: string | null): string | undefined => answer?.trim().replaceAll(/\s+/g, ' ')
