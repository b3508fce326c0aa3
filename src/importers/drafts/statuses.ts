/** Maps the words that teams and trackers use for the status of a task. */
import { keysOf } from '../../lib/json/json-object.js'
import type { ItemStatus } from '../../planning/records.js'
import type { ImportReport } from '../report.js'
import type { ConvertContext } from '../types.js'

export interface ReadStatus {
  status: ItemStatus
  /** A line for the item's description, if the status loses information; else ''. */
  remark: string
}

const KNOWN: Readonly<Record<ItemStatus, readonly string[]>> = {
  done: [
    'done', 'completed', 'complete', 'closed', 'resolved', 'released', 'shipped', 'merged', 'finished', 'fixed',
    'deployed', 'delivered', 'implemented', '完了'
  ],
  in_progress: [
    'in progress', 'in-progress', 'in_progress', 'inprogress', 'doing', 'started', 'review', 'in review',
    'code review', 'in development', 'development', 'testing', 'in testing', 'qa', 'in qa', 'active', 'wip', 'working',
    'ready for review', 'verification', 'under review', '進行中'
  ],
  blocked: ['blocked', 'on hold', 'on-hold', 'waiting', 'impeded', 'paused', 'stalled'],
  todo: [
    '', 'todo', 'to do', 'to-do', 'to_do', 'open', 'opened', 'pending', 'backlog', 'new', 'ready', 'planned',
    'unstarted', 'triage', 'selected for development', 'not started', 'reopened', 'draft', 'proposed', 'accepted',
    'icebox', 'next', 'up next', 'later', 'created', '未着手'
  ]
}

const GIVEN_UP = [
  'cancelled', 'canceled', 'wont do', "won't do", 'won’t do', "won't fix", 'wontfix', 'duplicate', 'deferred',
  'skipped', 'rejected', 'abandoned', 'archived', 'obsolete', 'not planned', 'not_planned', 'declined', 'invalid'
]

const REASONS = [...GIVEN_UP, 'cannot reproduce', 'incomplete', 'superseded'].join('|')
const REASON = new RegExp(`^(?:${REASONS})(?:$|\\s*[:.,;(–—-]|\\s+(?:of|by)\\b)`)

/** Whether a task was closed for this reason without being done, such as `Duplicate of #12`. */
export const isGivenUp = (reason: string): boolean => REASON.test(reason.trim().toLowerCase())

/** The status by the repository's own mapping, else by the known words, else `todo`, which is reported. */
export const readStatus = (
  words: string, { statuses, report }: Pick<ConvertContext, 'statuses' | 'report'>, path: string, line?: number
): ReadStatus => {
  const mapped = statuses.get(keyOf(words))
  const known = mapped ? { status: mapped, remark: '' } : knownStatus(words)
  if (known) return known
  const source = words.trim()
  report.note(
    path,
    `the status ${JSON.stringify(source)} is not known and was read as todo; map it with "statuses" in ` +
    '.exploration-mcp.json',
    line
  )
  return { status: 'todo', remark: `Status in the source: ${source}.` }
}

/** Reports a list of tasks in which not one has a status; `advice` says what to do. */
export const reportNoStatus = (
  words: readonly string[], report: ImportReport, path: string, advice: string
): void => {
  if (words.length === 0 || words.some((word) => word !== '')) return
  report.problem(path, `no status was found, so that all ${words.length} tasks are todo: ${advice}`, 1)
}

export const knownStatus = (words: string): ReadStatus | undefined => {
  const key = keyOf(words)
  const known = keysOf(KNOWN).find((status) => KNOWN[status].includes(key))
  if (known) return { status: known, remark: '' }
  return GIVEN_UP.includes(key)
    ? { status: 'todo', remark: `Status in the source: ${words.trim()}. It is not to be done.` }
    : undefined
}

/** The words in lower case, without an emoji before or after them. */
const keyOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** The status of a checkbox by its mark. The meaning of `~` and `-` differs between formats. */
export const boxStatus = (mark: string, deferred: ItemStatus): ReadStatus => {
  if ('xX✓✔'.includes(mark)) return { status: 'done', remark: '' }
  if (mark === ' ') return { status: 'todo', remark: '' }
  if (mark === '/' || mark === '>') return { status: 'in_progress', remark: '' }
  if (mark === '~' || mark === '-') {
    return {
      status: deferred,
      remark: deferred === 'blocked' ? `Marked [${mark}] in the source: deferred or skipped.` : ''
    }
  }
  return { status: 'todo', remark: `Marked [${mark}] in the source.` }
}
