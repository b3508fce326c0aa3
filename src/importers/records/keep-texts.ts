/** What an import keeps of explorations, answers and packages that were changed here since the last one. */
import type { Queryable } from '../../db/sql/database.js'
import type { ExplorationLine, RequirementPackageLine } from '../../planning/records.js'
import { conflictOf, differing, fieldsOf, type ImportConflict } from './import-conflict.js'

const rowsByKey = async <Row extends { key: string }>(
  tx: Queryable, statement: string, explorations: readonly string[]
): Promise<Map<string, Row>> =>
  new Map((await tx.query<Row>(statement, [explorations])).map((row) => [row.key, row]))

/** Returns the packages that are to be written: of those that were changed here, the ones that say the same. */
export const keepPackages = async (
  tx: Queryable, records: readonly RequirementPackageLine[], conflicts: ImportConflict[]
): Promise<RequirementPackageLine[]> => {
  const changed = await rowsByKey<{ key: string, markdown: string, version: number }>(tx,
    `select exploration_id || ' ' || artifact_type as key, markdown, version from requirement_packages
     where exploration_id = any($1::uuid[]) and changed_here`, records.map(({ exploration_id: id }) => id))
  return records.filter((record) => {
    const { artifact_type: type } = record
    const id = record.exploration_id.toLowerCase()
    const here = changed.get(`${id} ${type}`)
    if (!here || here.markdown === record.markdown) return true
    const named = { kind: 'edit_package', artifact_type: type }
    conflicts.push({ ...conflictOf(id, named, ['markdown'], record, here), base: { version: here.version } })
    return false
  })
}

const OF_EXPLORATION = ['title', 'status', 'tags', 'summaries'] as const
type StoredExploration = Pick<ExplorationLine, typeof OF_EXPLORATION[number]> & { key: string, changed_here: string[] }

/** Returns the explorations with what was edited here, and the marks of that. */
export const keepExplorations = async (
  tx: Queryable, records: readonly ExplorationLine[], conflicts: ImportConflict[]
): Promise<Array<ExplorationLine & { changed_here?: string[] }>> => {
  const answered = await keepAnswers(tx, records, conflicts)
  const stored = await rowsByKey<StoredExploration>(tx,
    `select id::text as key, title, status, tags, summaries, changed_here from explorations
     where id = any($1::uuid[]) and changed_here <> '{}'`, records.map(({ id }) => id))
  return answered.map((record) => {
    const id = record.id.toLowerCase()
    const here = stored.get(id)
    const fields = here
      ? differing(OF_EXPLORATION.filter((field) => here.changed_here.includes(field)), here, record)
      : []
    if (!here || fields.length === 0) return record
    conflicts.push(conflictOf(id, { kind: 'edit_exploration' }, fields, record, here))
    return { ...record, ...fieldsOf(here, fields), changed_here: fields }
  })
}

const keepAnswers = async (
  tx: Queryable, records: readonly ExplorationLine[], conflicts: ImportConflict[]
): Promise<ExplorationLine[]> => {
  const ids = records.map(({ id }) => id)
  const changed = await rowsByKey<{ key: string, answer: string | null, status: 'open' | 'answered' }>(tx,
    `select exploration_id || ' ' || id as key, answer, status from questions
     where exploration_id = any($1::uuid[]) and changed_here`, ids)
  const said: string[] = []
  const kept = records.map((record): ExplorationLine => ({
    ...record,
    questions: record.questions.map((question) => {
      const of = record.id.toLowerCase()
      const key = `${of} ${question.id}`
      const here = changed.get(key)
      if (!here) return question
      // That a file still has it open is no other answer.
      if (oneLine(here.answer) === oneLine(question.answer)) said.push(key)
      else if (question.answer !== null) {
        const named = { kind: 'answer_question', question_id: question.id }
        conflicts.push(conflictOf(of, named, ['answer'], question, here))
      }
      return { ...question, ...fieldsOf(here, ['answer', 'status']) }
    })
  }))
  if (said.length > 0) {
    // From now on the file decides.
    await tx.query(
      `update questions set changed_here = false
       where exploration_id = any($1::uuid[]) and exploration_id || ' ' || id = any($2::text[])`, [ids, said])
  }
  return kept
}

/** A file has an answer on one line. */
const oneLine = (answer: string | null): string | undefined => answer?.trim().replaceAll(/\s+/g, ' ')
