/**
 * Results that are not final: `input_required` and tasks. What the client does next shows whether it reads
 * `resultType`.
 */
import type { Request } from '../jsonrpc/message.js'
import { lruSet } from '../../lib/lru.js'
import type { ClientEntry } from './client-registry.js'
import type { ObservedCaller, ReportFinding } from './reporter.js'
import type { RuleId } from './rules.js'
import { digest, replyTo, type ParsedExchange } from './parsed-exchange.js'

interface PendingRequestRef { client: ClientEntry, at: number, requestId: string, method: string }
interface PendingInput extends PendingRequestRef { id: unknown, request: string, state: string | undefined }

export interface PendingContinuations {
  /** By caller and request: requests answered `input_required` that were not retried yet. */
  input: Map<string, PendingInput>
  /** The digests of issued states, and the request that each belongs to. */
  states: Map<string, string>
  /** By task id: tasks that no client has polled yet. */
  tasks: Map<string, PendingRequestRef>
}

const MAX_PENDING = 1000
const CONTINUATION_TIMEOUT_MS = 600_000

/** Creates the empty state. */
export const newPendingContinuations = (): PendingContinuations => ({
  input: new Map(), states: new Map(), tasks: new Map()
})

/** Checks whether a request continues an earlier result correctly, and stores its own result when that is not final. */
export const checkContinuations = (
  continuations: PendingContinuations,
  exchange: ParsedExchange,
  request: Request,
  caller: ObservedCaller,
  report: ReportFinding
): void => {
  const { id, method, params } = request
  const { _meta: meta, inputResponses, requestState, ...rest } = params
  if (method.startsWith('tasks/')) continuations.tasks.delete(String(params['taskId']))
  else checkRetry()
  recordPending()

  function checkRetry (): void {
    const same = digest([method, rest])
    const key = `${caller.key} ${same}`
    const open = continuations.input.get(key)
    const state = requestState === undefined ? undefined : digest(requestState)
    const owner = state === undefined ? undefined : continuations.states.get(state)
    if (owner !== undefined && owner !== same) report('request-state-elsewhere', method)
    if (!open) return
    if (inputResponses === undefined && requestState === undefined) report('input-missing', method)
    else if (state !== open.state && owner !== same) report('request-state-not-echoed', method)
    if (open.id === id && inputResponses !== undefined) report('retry-id-reused', method)
    continuations.input.delete(key)
  }

  function recordPending (): void {
    const { result } = replyTo(exchange, id)
    const open = { client: caller.client, at: exchange.end, requestId: exchange.requestId, method }
    if (result?.['resultType'] === 'input_required') {
      const same = digest([method, rest])
      const state = result['requestState'] === undefined ? undefined : digest(result['requestState'])
      lruSet(continuations.input, `${caller.key} ${same}`, { ...open, id, request: same, state }, MAX_PENDING)
      if (state !== undefined) lruSet(continuations.states, state, same, MAX_PENDING)
    } else if (result?.['resultType'] === 'task') {
      lruSet(continuations.tasks, String(result['taskId']), open, MAX_PENDING)
    }
  }
}

/**
 * Removes and returns the continuations that did not come within ten minutes. `now` is in milliseconds since the
 * epoch.
 */
export const overdue = (
  { input, tasks }: PendingContinuations, now: number
): Array<PendingRequestRef & { rule: RuleId }> => {
  const late = (map: Map<string, PendingRequestRef>, rule: RuleId) => [...map].flatMap(([key, open]) => {
    if (open.at > now - CONTINUATION_TIMEOUT_MS) return []
    map.delete(key)
    return [{ ...open, rule }]
  })
  return [...late(input, 'input-required-ignored'), ...late(tasks, 'task-ignored')]
}
