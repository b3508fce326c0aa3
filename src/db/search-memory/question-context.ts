/**
 * Reads what the database alone knows of a question: the stems of its words and the names of the caller's workspaces.
 * The same statement, shared by the questions of a moment, proves that the memory is as the database.
 */
import { batchLoader } from '../../lib/batch-loader.js'
import { lruSet } from '../../lib/lru.js'
import type { Queryable } from '../database.js'
import type { SearchQuestion } from '../search-question.js'
import { READ_QUESTION_CONTEXT, type QuestionContext } from './memory-statements.js'

interface Question { text: string, title: string | null, visible: readonly string[] }
type Stemmed = NonNullable<QuestionContext['questions']>[number]

export interface CallerView {
  /** The title in small letters, and the stems in the order of the text. */
  stemmed: Stemmed
  /** Those of all questions of the moment; some may be hidden from this caller. */
  workspaces: QuestionContext['workspaces']
}

export interface ContextReaderDeps {
  /** The revision of the memory. */
  revision (): number
  /** Brings the memory to a later revision; resolves when that is done. */
  catchUp (changed: QuestionContext['changed']): Promise<void>
}

type ReadContext = (
  question: Pick<SearchQuestion, 'text' | 'title' | 'scope'>, signal?: AbortSignal
) => Promise<CallerView | undefined>

/** Who asks while much is written is not kept waiting: the statements answer then. */
const MAX_LOOKS = 4
/** Questions whose stems are remembered. */
const MAX_STEMMED = 500

/**
 * Creates the reader. It resolves with undefined when much is written at this moment, and rejects with the reason of
 * the signal when it is aborted.
 */
export const createContextReader = (
  db: Pick<Queryable, 'query'>, { revision, catchUp }: ContextReaderDeps
): ReadContext => {
  const stemmed = new Map<string, Stemmed>()

  /** Undefined when the memory is behind the database: it is brought up to date then. */
  const readOnce = batchLoader<CallerView>(async (keys) => {
    const questions = keys.map((key): Question => JSON.parse(key))
    const visible = [...new Set(questions.flatMap(({ visible }) => visible))]
    const unknown = questions.filter(({ text }) => !stemmed.has(text))
    const [context] = await db.query<QuestionContext>(READ_QUESTION_CONTEXT, [
      unknown.map(({ text }) => text), unknown.map(({ title }) => title), visible, revision()])
    const stems = new Map(unknown.map(({ text }, place) => [text, context?.questions?.[place]]))
    if (!context || context.changed.length > 0) {
      await catchUp(context?.changed ?? [])
      return new Map()
    }
    return new Map(keys.map((key, place) => {
      const { text = '' } = questions[place] ?? {}
      const found = stemmed.get(text) ?? stems.get(text) ?? { title: null, stems: [] }
      return [key, { stemmed: lruSet(stemmed, text, found, MAX_STEMMED), workspaces: context.workspaces }]
    }))
  }, { concurrency: 1 })

  return async ({ text, title, scope: { visible } }, signal) => {
    const key = JSON.stringify({ text, title: title ?? null, visible } satisfies Question)
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const view = await readOnce(key)
      signal?.throwIfAborted()
      if (view) return view
    }
    return undefined
  }
}
