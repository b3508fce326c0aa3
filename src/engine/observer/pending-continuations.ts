/** Results that are not final: what the client does next shows whether it reads `resultType`. */
import type { Request } from '../jsonrpc/message.js'
import { lruSet } from '../../lib/lru.js'
import type { ClientEntry } from './client-registry.js'
import type { ObservedCaller, ReportFinding } from './observed-state.js'
import type { RuleId } from './rules.js'
import { digest, replyTo, type ParsedExchange } from './parsed-exchange.js'

interface Pending { client: ClientEntry, at: number, requestId: string, method: string }

const MAX_PENDING = 1000
const CONTINUATION_TIMEOUT_MS = 600_000

const digestOf = (value: unknown): string | undefined => value === undefined ? undefined : digest(value)

export class PendingContinuations {
  /** By caller and request: requests answered `input_required` that were not retried yet. */
  readonly #input = new Map<string, Pending & { id: unknown, state: string | undefined }>()
  /** The digests of issued states, and the request that each belongs to. */
  readonly #states = new Map<string, string>()
  /** By task id: tasks that no client has polled yet. */
  readonly #tasks = new Map<string, Pending>()

  /** Checks whether a request continues an earlier result, and stores its own result when that is not final. */
  check (exchange: ParsedExchange, request: Request, caller: ObservedCaller, report: ReportFinding): void {
    const { id, method, params } = request
    const { _meta: meta, inputResponses, requestState, ...rest } = params
    const same = digest([method, rest])
    const key = `${caller.key} ${same}`
    if (method.startsWith('tasks/')) this.#tasks.delete(String(params['taskId']))
    else this.#checkRetry(request, same, key, report)
    const { result } = replyTo(exchange, id)
    const open = { client: caller.client, at: exchange.end, requestId: exchange.requestId, method }
    if (result?.['resultType'] === 'input_required') {
      const state = digestOf(result['requestState'])
      lruSet(this.#input, key, { ...open, id, state }, MAX_PENDING)
      if (state !== undefined) lruSet(this.#states, state, same, MAX_PENDING)
    } else if (result?.['resultType'] === 'task') {
      lruSet(this.#tasks, String(result['taskId']), open, MAX_PENDING)
    }
  }

  #checkRetry ({ id, method, params }: Request, same: string, key: string, report: ReportFinding): void {
    const { inputResponses, requestState } = params
    const open = this.#input.get(key)
    const state = digestOf(requestState)
    const owner = state === undefined ? undefined : this.#states.get(state)
    if (owner !== undefined && owner !== same) report('request-state-elsewhere', method)
    if (!open) return
    if (inputResponses === undefined && requestState === undefined) report('input-missing', method)
    else if (state !== open.state && owner !== same) report('request-state-not-echoed', method)
    if (open.id === id && inputResponses !== undefined) report('retry-id-reused', method)
    this.#input.delete(key)
  }

  /** Removes and returns those that did not come within ten minutes. `now` is in milliseconds since the epoch. */
  overdue (now: number): Array<Pending & { rule: RuleId }> {
    const late = (map: Map<string, Pending>, rule: RuleId) => [...map].flatMap(([key, open]) => {
      if (open.at > now - CONTINUATION_TIMEOUT_MS) return []
      map.delete(key)
      return [{ ...open, rule }]
    })
    return [...late(this.#input, 'input-required-ignored'), ...late(this.#tasks, 'task-ignored')]
  }
}
