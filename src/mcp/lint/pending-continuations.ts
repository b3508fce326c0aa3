/** Results that are not the end: input that is required, and tasks. What the client does next shows whether it read the resultType. */
import type { Request } from '../jsonrpc/message.js'
import { lruSet } from '../../lib/lru.js'
import type { ClientEntry } from './client-registry.js'
import type { ObservedCaller, Report } from './reporter.js'
import type { RuleId } from './rules.js'
import { digest, replyTo, type ParsedExchange } from './parsed-exchange.js'

interface PendingRequestRef { client: ClientEntry, at: number, requestId: string, method: string }
interface PendingInput extends PendingRequestRef { id: unknown, request: string, state: string | undefined }

export interface PendingContinuations {
  /** By caller and request: what was answered `input_required` and not taken up. */
  input: Map<string, PendingInput>
  /** The states given out, by digest: which request each belongs to. */
  states: Map<string, string>
  /** By the task's id: those nobody has asked for. */
  tasks: Map<string, PendingRequestRef>
}

const MAX_PENDING = 1000
const CONTINUATION_TIMEOUT_MS = 600_000

export const newPendingContinuations = (): PendingContinuations => ({
  input: new Map(), states: new Map(), tasks: new Map()
})

export const checkContinuations = (
  continuations: PendingContinuations,
  exchange: ParsedExchange,
  request: Request,
  caller: ObservedCaller,
  report: Report
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

/** What nobody came back for. */
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
