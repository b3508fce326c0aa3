/** What an import keeps of explorations, answers and packages that were changed here since the last one. */
import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/sql/database.js'
import type { ExplorationLine, RequirementPackageLine } from '../../planning/records.js'
import type { ImportConflict } from './keep-changes.js'

/** Returns the packages that are to be written: of those that were changed here, the ones that say the same. */
export const keepPackages = async (
  tx: Queryable, records: readonly RequirementPackageLine[]
): Promise<{ records: RequirementPackageLine[], conflicts: ImportConflict[] }> => {
  const rows = await tx.query<{ key: string, markdown: string, version: number }>(
    `select exploration_id || ' ' || artifact_type as key, markdown, version from requirement_packages
     where exploration_id = any($1::uuid[]) and changed_here`, [records.map(({ exploration_id: id }) => id)])
  const changed = new Map(rows.map((row) => [row.key, row]))
  const conflicts: ImportConflict[] = []
  const kept = records.filter(({ exploration_id: id, artifact_type: type, markdown }) => {
    const here = changed.get(`${id.toLowerCase()} ${type}`)
    if (!here || here.markdown === markdown) return true
    const change = { kind: 'edit_package', artifact_type: type, markdown }
    conflicts.push({ exploration_id: id.toLowerCase(), change, base: { version: here.version } })
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
      const differing = OF_EXPLORATION.filter((field) =>
        here?.changed_here.includes(field) && !isDeepStrictEqual(here[field], record[field]))
      if (!here || differing.length === 0) return record
      const pick = (from: Pick<ExplorationLine, typeof OF_EXPLORATION[number]>) =>
        Object.fromEntries(differing.map((field) => [field, from[field]]))
      conflicts.push({ exploration_id: id, change: { kind: 'edit_exploration', ...pick(record) }, base: pick(here) })
      return { ...record, ...pick(here), changed_here: differing }
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
      const here = changed.get(`${record.id.toLowerCase()} ${question.id}`)
      if (!here) return question
      if (oneLine(here.answer) === oneLine(question.answer)) {
        said.push(`${record.id.toLowerCase()} ${question.id}`)
        return { ...question, answer: here.answer }
      }
      const change = { kind: 'answer_question', question_id: question.id, answer: question.answer }
      // That a file still has it open is no other answer.
      if (question.answer !== null) {
        conflicts.push({ exploration_id: record.id.toLowerCase(), change, base: { answer: here.answer } })
      }
      return { ...question, answer: here.answer, status: here.status }
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
