/**
 * Reads what the database alone knows of a question: the stems of its words and the names of the caller's workspaces.
 * The same statement, shared by the questions of a moment, proves that the memory is as the database. A question of
 * plain words whose stems are known needs no statement while the database tells of no change since the last proof.
 */
import { batchLoader } from '../../lib/batch-loader.js'
import { lruSet } from '../../lib/lru.js'
import type { Queryable } from '../database.js'
import type { SearchQuestion } from '../search-question.js'
import { MAX_STEMS } from '../search-words-statement.js'
import { READ_QUESTION_CONTEXT, type QuestionContext } from './memory-statements.js'
import { plainWords } from './plain-words.js'
import type { WordStems } from './word-stems.js'

interface Question { text: string, title: string | null, phrases: readonly string[], visible: readonly string[] }
type Stemmed = NonNullable<QuestionContext['questions']>[number] & { phrases: readonly string[] }
type Workspace = QuestionContext['workspaces'][number]

export interface CallerView {
  /** The title in small letters, the stems in the order of the text, and the quoted phrases as texts of queries. */
  stemmed: Stemmed
  /** Those of the caller, and maybe some that are hidden from it. */
  workspaces: readonly Workspace[]
}

export interface ContextReaderDeps {
  /** The memory, which is another object after it was lost; undefined without one. */
  memory (): { readonly revision: number } | undefined
  /**
   * How many commits the database has told of that changed what the memory or a view holds; undefined where it tells of
   * none.
   */
  changes (): number | undefined
  wordStems: WordStems
  /** Brings the memory to a later revision; resolves when that is done. */
  catchUp (changed: QuestionContext['changed']): Promise<void>
}

/** A memory that was as the database after so many changes, and what was read of workspaces then. */
interface Proof {
  memory: object
  changes: number
  /** By id; undefined for one that does not exist. */
  workspaces: Map<string, Workspace | undefined>
}

type ReadContext = (
  question: Pick<SearchQuestion, 'text' | 'title' | 'phrases' | 'scope'>, signal?: AbortSignal
) => Promise<CallerView | undefined>

/** Who asks while much is written is not kept waiting: the statements answer then. */
const MAX_LOOKS = 4
/** Questions whose stems are remembered. */
const MAX_STEMMED = 500
const MAX_WORKSPACES = 1000

/**
 * Creates the reader. It resolves with undefined when much is written at this moment, and rejects with the reason of
 * the signal when it is aborted.
 */
export const createContextReader = (
  db: Pick<Queryable, 'query'>, { memory, changes, wordStems, catchUp }: ContextReaderDeps
): ReadContext => {
  const stemmed = new Map<string, Stemmed>()
  let proof: Proof | undefined

  /** The words of a text that the database need not read; it reads where the words of a phrase stand. */
  const wordsOf = ({ text, phrases }: Question): string[] | undefined =>
    phrases.length > 0 ? undefined : plainWords(text)

  const stemsOf = (question: Question): Stemmed | undefined => {
    const known = stemmed.get(question.text)
    if (known) return known
    const words = wordsOf(question)
    const stems = words && wordStems.stemsOf(words)?.slice(0, MAX_STEMS)
    return stems && { title: question.title?.toLowerCase() ?? null, stems, phrases: [] }
  }

  const prove = (proven: Proof): void => {
    if (proof?.memory === proven.memory && proof.changes === proven.changes) {
      for (const [id, workspace] of proven.workspaces) lruSet(proof.workspaces, id, workspace, MAX_WORKSPACES)
    } else {
      proof = proven
    }
  }

  /** What is known of a question without asking the database, while nothing has changed. */
  const known = (question: Question): CallerView | undefined => {
    if (!proof || proof.memory !== memory() || proof.changes !== changes()) return undefined
    const { workspaces } = proof
    const found = stemsOf(question)
    if (!found || !question.visible.every((id) => workspaces.has(id))) return undefined
    return { stemmed: found, workspaces: question.visible.flatMap((id) => workspaces.get(id) ?? []) }
  }

  /** Undefined when the memory is behind the database: it is brought up to date then. */
  const readOnce = batchLoader<CallerView>(async (keys) => {
    const questions = keys.map((key): Question => JSON.parse(key))
    const visible = [...new Set(questions.flatMap(({ visible }) => visible))]
    const unknown = questions.filter((question) => !stemsOf(question))
      .map((question) => ({ ...question, words: wordsOf(question) }))
    const words = wordStems.unknown(unknown.flatMap(({ words }) => words ?? []))
    const texts = unknown.filter(({ words }) => !words)
    const phrases = [...new Set(texts.flatMap(({ phrases }) => phrases))]
    // What is told of while the statement runs may not be in what it reads.
    const [asked, before] = [memory(), changes()]
    const [context] = await db.query<QuestionContext>(READ_QUESTION_CONTEXT, [
      texts.map(({ text }) => text), texts.map(({ title }) => title), visible, asked?.revision ?? 0, words, phrases])
    wordStems.add(words, context?.stems ?? [])
    const queries = new Map(phrases.map((phrase, place) => [phrase, context?.phrases?.[place] ?? '']))
    const stems = new Map(texts.flatMap(({ text, phrases }, place): Array<[string, Stemmed]> => {
      const read = context?.questions?.[place]
      return read ? [[text, { ...read, phrases: phrases.map((phrase) => queries.get(phrase) ?? '') }]] : []
    }))
    if (!context || context.changed.length > 0) {
      await catchUp(context?.changed ?? [])
      return new Map()
    }
    if (asked && before !== undefined && visible.length <= MAX_WORKSPACES) {
      const byId = new Map(context.workspaces.map((workspace) => [workspace.id, workspace]))
      prove({ memory: asked, changes: before, workspaces: new Map(visible.map((id) => [id, byId.get(id)])) })
    }
    const { workspaces } = context
    const views = new Map<string, CallerView>()
    for (const [place, question] of questions.entries()) {
      const found = stems.get(question.text) ?? stemsOf(question)
      const key = keys[place]
      if (!found || key === undefined) continue
      views.set(key, { stemmed: lruSet(stemmed, question.text, found, MAX_STEMMED), workspaces })
    }
    return views
  }, { concurrency: 1 })

  return async ({ text, title, phrases, scope: { visible } }, signal) => {
    const question: Question = { text, title: title ?? null, phrases, visible }
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const view = known(question) ?? await readOnce(JSON.stringify(question))
      signal?.throwIfAborted()
      if (view) return view
    }
    return undefined
  }
}
