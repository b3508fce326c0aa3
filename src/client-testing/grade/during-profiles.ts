/** Rules that a client broke while a profile ran, by itself: not where the profile provoked it. */
import { createObserver, type RuleId } from '../../engine/engine.js'
import type { Profile } from '../profiles/profile.js'
import { isRequest, isProtocol, type Exchange } from '../proxy/exchange.js'
import type { Redactor } from '../redact.js'
import type { Check } from '../reports/report.js'
import { ruleCheck } from './clauses.js'
import type { RunOutcome } from './run-profile.js'

const OPENINGS = ['initialize', 'server/discover']

interface Violation { rule: RuleId, detail: string, exchange: Exchange }

export interface ProfileRun { profile: Profile, violations: readonly Violation[], reproduce?: string | undefined }

/**
 * Returns what the observer finds in the exchanges in which the server behaved well. What a client sends because of a
 * misbehaviour is left out: the same request again, an answer, and what has the marker of a reply in it; and whatever
 * follows an opening that went wrong.
 */
export const violationsIn = ({ exchanges, marker, judgement }: Omit<RunOutcome, 'subject'>): Violation[] => {
  const openedWrongly = exchanges.some(({ call, injected }) => injected !== undefined && isRequest(call, ...OPENINGS))
  if (openedWrongly && judgement.status === 'failed') return []
  const observer = createObserver({ oneClient: true })
  const counts = new Map<string, number>()
  const provoked = new Set(exchanges.flatMap(({ injected, body }) => injected === undefined ? [] : [body]))
  const endOf = ({ end }: Exchange): number => end ?? Infinity
  // In the order in which they ended: answers to a request of the server lie within the request that they belong to.
  return exchanges.filter(isProtocol).sort((one, other) => endOf(one) - endOf(other) || one.number - other.number)
    .flatMap((exchange) => {
      observer.record(exchange)
      const found = observer.report().flatMap(({ findings }, client) => findings.filter(({ rule, count }) => {
        const key = `${client} ${rule}`
        const isNew = count > (counts.get(key) ?? 0)
        counts.set(key, count)
        return isNew
      }))
      const { injected, body = '', call: { message } } = exchange
      const wasProvoked = injected !== undefined || message?.kind === 'response' || body.includes(marker) ||
        (body !== '' && provoked.has(body))
      return wasProvoked ? [] : found.map(({ rule, detail }) => ({ rule, detail, exchange }))
    })
}

/** Returns a check for each rule that was broken while profiles ran, and not on the correct server. */
export const duringChecks = (
  runs: readonly ProfileRun[], alreadyBroken: ReadonlySet<string>, redactor: Redactor
): Check[] => {
  const all = runs.flatMap(({ violations, ...run }) => violations.map((violation) => ({ ...run, ...violation })))
  return [...new Set(all.map(({ rule }) => rule))].filter((rule) => !alreadyBroken.has(rule)).map((rule) => {
    const own = all.filter((violation) => violation.rule === rule)
    const details = new Set(own.map(({ profile, detail }) => `while ${profile.id} ran: ${redactor.text(detail)}`))
    return {
      ...ruleCheck(rule, 'clauses, while profiles ran', own.map(({ exchange }) => exchange), redactor),
      status: 'failed',
      outcome: 'violated',
      detail: [...details].slice(0, MAX_DETAILS).join('; '),
      reproduce: own[0]?.reproduce
    }
  })
}

const MAX_DETAILS = 10
