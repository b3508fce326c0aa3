/**
 * A list that the server gives by pages: the first one is loaded like any resource, more are added when the person
 * asks.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from './problem.js'
import { requestJson } from './request.js'
import { useResource } from './resource.js'

/** The answer of a list operation. */
export interface ListAnswer { next_cursor?: string }

export interface PagedList<Answer, Row> {
  /** Undefined until the first page was loaded once. */
  rows: readonly Row[] | undefined
  /** The first page, for what it says beside the rows. */
  first: Answer | undefined
  error: string | undefined
  /** Whether the first page is on its way. */
  pending: boolean
  /** As that of `useResource`. */
  retry: (() => void) | undefined
  /** Loads the next page; undefined at the end of the list. */
  onMore: (() => void) | undefined
  morePending: boolean
  moreError: string | undefined
}

interface More<Answer> { path: string, answers: readonly Answer[], pending: boolean, error: string | undefined }

/**
 * Loads a list by pages. `path` is that of `pathOf` with the query of the first page; `rowsOf` takes the rows out of
 * an answer. While another path is loaded, the rows of the one before stay. The caller states the type of the answer.
 */
export const usePages = <Answer extends ListAnswer, Row>(
  path: string, rowsOf: (answer: Answer) => readonly Row[]
): PagedList<Answer, Row> => {
  const { value, error, pending, retry } = useResource<Answer>(path)
  const last = useRef<Answer>(undefined)
  if (value !== undefined) last.current = value
  const first = value ?? (error === undefined ? last.current : undefined)
  const none: More<Answer> = { path, answers: [], pending: false, error: undefined }
  const [more, setMore] = useState(none)
  // A first page that was loaded anew may end elsewhere, so pages after it go.
  useEffect(() => setMore(none), [path, value])
  const answers = more.path === path && value !== undefined ? more.answers : []
  const cursor = (answers.at(-1) ?? value)?.next_cursor
  const load = async (): Promise<void> => {
    setMore((state) => ({ ...state, path, pending: true, error: undefined }))
    try {
      const separator = path.includes('?') ? '&' : '?'
      const answer = await requestJson<Answer>('GET', `${path}${separator}cursor=${encodeURIComponent(cursor ?? '')}`)
      setMore((state) => state.path === path ? { ...none, answers: [...state.answers, answer] } : state)
    } catch (failure) {
      setMore((state) => ({ ...state, pending: false, error: messageOf(failure) }))
    }
  }
  return {
    rows: first === undefined ? undefined : [first, ...answers].flatMap((answer) => rowsOf(answer)),
    first,
    error,
    pending,
    retry,
    onMore: cursor === undefined ? undefined : () => { if (!more.pending) void load() },
    morePending: more.pending,
    moreError: more.error
  }
}
