/** The words that teams and trackers use for how far a task is. */
import type { ImportReport } from '../report.js'
import type { StatusMap } from '../types.js'
import type { ItemStatus } from './plan-draft.js'

export interface ReadStatus {
  status: ItemStatus
  /** A line for the item's description when the status does not say everything; '' else. */
  remark: string
}

const DONE = [
  'done',
  'completed',
  'complete',
  'closed',
  'resolved',
  'released',
  'shipped',
  'merged',
  'finished',
  'fixed',
  'deployed',
  'delivered',
  'implemented',
  '完了'
]
const IN_PROGRESS = [
  'in progress',
  'in-progress',
  'in_progress',
  'inprogress',
  'doing',
  'started',
  'review',
  'in review',
  'code review',
  'in development',
  'development',
  'testing',
  'in testing',
  'qa',
  'in qa',
  'active',
  'wip',
  'working',
  'ready for review',
  'verification',
  'under review',
  '進行中'
]
const BLOCKED = ['blocked', 'on hold', 'on-hold', 'waiting', 'impeded', 'paused', 'stalled']
const TODO = [
  '',
  'todo',
  'to do',
  'to-do',
  'to_do',
  'open',
  'pending',
  'backlog',
  'new',
  'ready',
  'planned',
  'unstarted',
  'triage',
  'selected for development',
  'not started',
  'reopened',
  'draft',
  'proposed',
  'accepted',
  'icebox',
  'next',
  'up next',
  'later',
  'created',
  '未着手'
]
/** Not to be done, and never done. */
const GIVEN_UP = [
  'cancelled',
  'canceled',
  'wont do',
  "won't do",
  'won’t do',
  "won't fix",
  'wontfix',
  'duplicate',
  'deferred',
  'skipped',
  'rejected',
  'abandoned',
  'archived',
  'obsolete',
  'not planned',
  'not_planned',
  'declined',
  'invalid'
]

export const readStatus = (
  words: string,
  custom: StatusMap,
  report: ImportReport,
  path: string,
  line?: number
): ReadStatus => {
  const mapped = custom.get(keyOf(words))
  if (mapped) return { status: mapped, remark: '' }
  const known = knownStatus(words)
  if (known) return known
  report.note(
    path,
    `the status ${JSON.stringify(words.trim())} is not known and was read as todo; map it with "statuses" in .exploration-mcp.json`,
    line
  )
  return { status: 'todo', remark: `Status in the source: ${words.trim()}.` }
}

/** Undefined for words that are not known. */
export const knownStatus = (words: string): ReadStatus | undefined => {
  const key = keyOf(words)
  if (DONE.includes(key)) return { status: 'done', remark: '' }
  if (IN_PROGRESS.includes(key)) return { status: 'in_progress', remark: '' }
  if (BLOCKED.includes(key)) return { status: 'blocked', remark: '' }
  if (TODO.includes(key)) return { status: 'todo', remark: '' }
  return GIVEN_UP.includes(key)
    ? { status: 'todo', remark: `Status in the source: ${words.trim()}. It is not to be done.` }
    : undefined
}

/** Without an emoji before the words. */
const keyOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')

/** Status of a checkbox by its mark. What `~` and `-` mean differs between formats. */
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
