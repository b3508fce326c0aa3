/** The list of the inbox as it is read: what is new waits above, what is read stays, what was decided is gone. */
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pathOf, type Answer } from '../../api/call.js'
import { usePages } from '../../api/pages.js'
import { messageOf } from '../../api/problem.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { showToast } from '../../components/toast.js'
import { useLive } from '../../changes/live.js'
import { undoRows } from '../../changes/undo-rows.js'
import { keyOf, type Decision, type Entry } from './entries.js'

export const useInbox = () => {
  const path = pathOf('GET /inbox', {}, { limit: 50 })
  const list = usePages(path, ({ items }: Answer<'GET /inbox'>) => items)
  const [until, setUntil] = useState<string>()
  const [currentKey, open] = useState<string>()
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const decisions = useRef<Array<{ keys: readonly string[], rows: Decision }>>([])
  const shownBefore = useRef<readonly Entry[]>([])
  const newest = list.rows?.[0]
  // A view in a chat leads to one of them, which may be far down, or decided: it stands first.
  const { query: { proposal } } = useLocation()
  const { value: found, reload } =
    useOperation('GET /inbox', proposal === undefined ? null : { query: { proposal, limit: 1 } })
  const linked = found?.items[0]
  useEffect(() => {
    setUntil((time) => time ?? newest?.at)
    if (proposal === undefined) open((key) => key ?? (newest && keyOf(newest)))
  }, [newest?.at])
  useEffect(() => { if (linked) open(keyOf(linked)) }, [linked?.id])
  useLive(() => {
    invalidate(path)
    reload()
  })

  const rows = list.rows?.filter(({ id }) => id !== linked?.id)
  const waiting = (linked && rows ? [linked, ...rows] : rows)?.filter((entry) => !decided.has(keyOf(entry))) ?? []
  const isNew = ({ id, at: time }: Entry): boolean => until !== undefined && time > until && id !== linked?.id
  const entries = groupsOf(waiting.filter((entry) => !isNew(entry))).flat()
  // What is being read stays when another decides it.
  const at = shownBefore.current.findIndex((entry) => keyOf(entry) === currentKey)
  const read = shownBefore.current[at]
  const isMissing = currentKey !== undefined && !decided.has(currentKey) &&
    !entries.some((entry) => keyOf(entry) === currentKey)
  if (read && isMissing) entries.splice(at, 0, read)
  // What is new pushes the last of a page into the next one.
  const isGone = isMissing && !(list.onMore && read && read.at <= (list.rows?.at(-1)?.at ?? ''))
  shownBefore.current = entries
  const current = entries.find((entry) => keyOf(entry) === currentKey) ?? entries[0]

  const undoLast = async (): Promise<void> => {
    const last = decisions.current.pop()
    if (!last) return showToast('There is nothing to undo on this page.')
    try {
      await undoRows(last.rows)
      setDecided((keys) => new Set([...keys].filter((key) => !last.keys.includes(key))))
      open(last.keys[0])
      showToast('Undone.')
    } catch (error) {
      showToast(messageOf(error), 'bad')
    }
    invalidate('/inbox', '/explorations')
  }

  /** Decides about some entries, one after the other. What fails says why, and stays. */
  const decide = async (
    about: readonly Entry[], done: string, work: (entry: Entry) => Promise<Decision>
  ): Promise<void> => {
    const failed = new Map<string, string>()
    const made: Array<{ key: string, rows: Decision }> = []
    for (const entry of about) {
      try {
        made.push({ key: keyOf(entry), rows: await work(entry) })
      } catch (error) {
        failed.set(keyOf(entry), messageOf(error))
      }
    }
    const keys = made.map(({ key }) => key)
    const rest = entries.filter((entry) => !keys.includes(keyOf(entry)))
    const place = entries.findIndex((entry) => entry === about[0])
    const next = rest[place] ?? rest.at(-1)
    open([...failed.keys()][0] ?? (next && keyOf(next)))
    setFailures(failed)
    setDecided((before) => new Set([...before, ...keys]))
    if (made.length > 0) {
      decisions.current.push({ keys, rows: made.flatMap(({ rows }) => rows) })
      showToast(about.length > 1 ? `${done}: ${made.length} of ${about.length}.` : `${done}.`, 'good', {
        label: 'Undo', run: () => { void undoLast() }
      })
    }
    invalidate('/inbox', '/explorations')
  }

  return {
    list,
    entries,
    current,
    isGone,
    isUnknown: proposal !== undefined && found?.items.length === 0,
    open,
    failures,
    decide,
    undoLast,
    fresh: waiting.filter(isNew).length,
    showFresh: () => setUntil(newest?.at)
  }
}

/** By workspace: that of the newest entry first. */
export const groupsOf = (entries: readonly Entry[]): Entry[][] => {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.set(entry.workspace.id, [...groups.get(entry.workspace.id) ?? [], entry])
  return [...groups.values()]
}
