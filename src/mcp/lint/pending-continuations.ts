/** Results that are not the end: input that is required, and tasks. What the client does next shows whether it read the resultType. */
import type { Request } from '../jsonrpc/message.js'
import { remember } from '../../lib/lru.js'
import type { Entry } from './client-registry.js'
import type { Caller, Say } from './reporter.js'
import type { RuleId } from './rules.js'
import { digest, replyTo, type Seen } from './parsed-exchange.js'

interface Open { client: Entry, at: number, requestId: string, method: string }
interface Round extends Open { id: unknown, request: string, state: string | undefined }

export interface Rounds {
  /** By caller and request: what was answered `input_required` and not taken up. */
  input: Map<string, Round>
  /** The states given out, by digest: which request each belongs to. */
  states: Map<string, string>
  /** By the task's id: those nobody has asked for. */
  tasks: Map<string, Open>
}

const MOST = 1000
const PATIENCE_MS = 600_000

export const newRounds = (): Rounds => ({ input: new Map(), states: new Map(), tasks: new Map() })

export const checkRounds = (rounds: Rounds, seen: Seen, request: Request, caller: Caller, say: Say): void => {
  const { id, method, params } = request
  const { _meta: meta, inputResponses, requestState, ...rest } = params
  if (method.startsWith('tasks/')) rounds.tasks.delete(String(params['taskId']))
  else checkRetry()
  remembered()

  function checkRetry (): void {
    const same = digest([method, rest])
    const key = `${caller.key} ${same}`
    const open = rounds.input.get(key)
    const state = requestState === undefined ? undefined : digest(requestState)
    const owner = state === undefined ? undefined : rounds.states.get(state)
    if (owner !== undefined && owner !== same) say('request-state-elsewhere', method)
    if (!open) return
    if (inputResponses === undefined && requestState === undefined) say('input-missing', method)
    else if (state !== open.state && owner !== same) say('request-state-not-echoed', method)
    if (open.id === id && inputResponses !== undefined) say('retry-id-reused', method)
    rounds.input.delete(key)
  }

  function remembered (): void {
    const { result } = replyTo(seen, id)
    const open = { client: caller.client, at: seen.end, requestId: seen.requestId, method }
    if (result?.['resultType'] === 'input_required') {
      const same = digest([method, rest])
      const state = result['requestState'] === undefined ? undefined : digest(result['requestState'])
      remember(rounds.input, `${caller.key} ${same}`, { ...open, id, request: same, state }, MOST)
      if (state !== undefined) remember(rounds.states, state, same, MOST)
    } else if (result?.['resultType'] === 'task') {
      remember(rounds.tasks, String(result['taskId']), open, MOST)
    }
  }
}

/** What nobody came back for. */
export const overdue = ({ input, tasks }: Rounds, now: number): Array<Open & { rule: RuleId }> => {
  const late = (map: Map<string, Open>, rule: RuleId) => [...map].flatMap(([key, open]) => {
    if (open.at > now - PATIENCE_MS) return []
    map.delete(key)
    return [{ ...open, rule }]
  })
  return [...late(input, 'input-required-ignored'), ...late(tasks, 'task-ignored')]
}
