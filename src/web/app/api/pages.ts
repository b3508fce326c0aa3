/** A list that the server gives by pages: the first, and more when the person asks; all of them are one resource. */
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from './action.js'
import { requestJson } from './request.js'
import { useLoaded } from './resource.js'

interface ListAnswer { next_cursor?: string }

export interface PagedList<Answer, Row> {
  /** Undefined until the first page was loaded once. */
  rows: readonly Row[] | undefined
  /** The first page, for what it says beside the rows. */
  first: Answer | undefined
  error: string | undefined
  pending: boolean
  retry: (() => void) | undefined
  /** Loads the next page; undefined at the end of the list. */
  onMore: (() => void) | undefined
  morePending: boolean
  moreError: string | undefined
}

const loadPage = <Answer>(path: string, name: string, cursor?: string, signal?: AbortSignal): Promise<Answer> =>
  requestJson('GET', cursor === undefined ? path : `${path}&${name}=${encodeURIComponent(cursor)}`, { signal })

/** Loads as many pages as are shown. */
const loadPages = (name: string) => async <Answer extends ListAnswer>(
  path: string, signal: AbortSignal, shown: () => readonly Answer[] | undefined
): Promise<readonly Answer[]> => {
  const answers: Answer[] = []
  let cursor: string | undefined
  do {
    const answer = await loadPage<Answer>(path, name, cursor, signal)
    answers.push(answer)
    cursor = answer.next_cursor
  } while (cursor !== undefined && answers.length < (shown()?.length ?? 1))
  return answers
}

/** `path` has a `limit`; while another path is loaded, the rows of the one before stay; `name` takes the cursor. */
export const usePages = <Answer extends ListAnswer, Row>(
  path: string, rowsOf: (answer: Answer) => readonly Row[], name = 'cursor'
): PagedList<Answer, Row> => {
  const { value, error, pending, retry, update } = useLoaded<readonly Answer[]>(path, loadPages(name))
  const last = useRef<readonly Answer[]>(undefined)
  if (value !== undefined) last.current = value
  const answers = value ?? (error === undefined ? last.current : undefined)
  const rows = answers?.flatMap((answer) => rowsOf(answer))
  const cursor = value?.at(-1)?.next_cursor
  const more = useAction(async () => {
    const answer = await loadPage<Answer>(path, name, cursor)
    update((all) => all.at(-1)?.next_cursor === cursor ? [...all, answer] : all)
  })
  useEffect(more.clearError, [path])
  return {
    // That another query had none says nothing about this one.
    rows: value === undefined && rows?.length === 0 ? undefined : rows,
    first: answers?.[0],
    error,
    pending,
    retry,
    onMore: cursor === undefined ? undefined : () => more.run(),
    morePending: more.pending,
    moreError: more.error
  }
}
