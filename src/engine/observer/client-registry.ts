/** Observed clients, one entry for each name and version, and one finding for each rule that they broke. */
import type { ClientInfo } from '../request-context.js'
import type { Clause } from '../eras/faults.js'
import type { Era } from '../eras/era.js'
import { redactText } from '../../lib/redact/redact.js'
import { lruSet } from '../../lib/lru.js'
import { ruleFor, type RuleId } from './rules.js'

/** A rule that a client broke. */
export interface RuleFinding {
  rule: RuleId
  level: 'MUST' | 'SHOULD'
  spec: Clause
  sentence: string
  count: number
  /** RFC 3339. */
  first_at: string
  last_at: string
  /** The last request that broke the rule: its id in the log, and a detail. */
  request_id: string
  detail: string
}

/** A client that was observed, with the rules that it broke. */
export interface ObservedClient {
  /** As the client declared it; null when it declared none. */
  name: string | null
  version: string | null
  user_agent: string | null
  revisions: string[]
  exchanges: number
  sessions: { opened: number, ended: number }
  first_at: string
  last_at: string
  findings: RuleFinding[]
}

export interface ClientEntry extends Omit<ObservedClient, 'findings'> {
  findings: Map<string, RuleFinding>
}

export interface Occurrence { rule: RuleId, era: Era['name'], at: number, requestId: string, detail: string }

/** Called when a client breaks a rule for the first time. */
export type OnFirstFinding = (client: ObservedClient, finding: RuleFinding) => void

const MAX_CLIENTS = 500
const MAX_DETAIL = 200

export const clientRegistry = (onFirstFinding: OnFirstFinding) => {
  const entries = new Map<string, ClientEntry>()

  return {
    /** A client without a name is identified by its user agent. `at` is in milliseconds since the epoch. */
    findOrCreate ({ name, version }: Partial<ClientInfo>, userAgent: string | undefined, at: number): ClientEntry {
      const agent = userAgent === undefined ? null : redactText(userAgent).slice(0, MAX_DETAIL)
      const key = JSON.stringify(name === undefined ? [agent] : [name, version])
      const now = new Date(at).toISOString()
      const entry = entries.get(key) ?? {
        name: name ?? null,
        version: version ?? null,
        user_agent: agent,
        revisions: [],
        exchanges: 0,
        sessions: { opened: 0, ended: 0 },
        first_at: now,
        last_at: now,
        findings: new Map()
      }
      entry.last_at = now
      return lruSet(entries, key, entry, MAX_CLIENTS)
    },

    report (entry: ClientEntry, { rule, era, at, requestId, detail }: Occurrence): void {
      const found = ruleFor(rule, era)
      const key = `${rule} ${found.spec.revision}`
      const now = new Date(at).toISOString()
      const latest = { last_at: now, request_id: requestId, detail: redactText(detail).slice(0, MAX_DETAIL) }
      const earlier = entry.findings.get(key)
      if (earlier) {
        Object.assign(earlier, latest, { count: earlier.count + 1 })
        return
      }
      const finding = { rule, ...found, count: 1, first_at: now, ...latest }
      entry.findings.set(key, finding)
      onFirstFinding(toObservedClient(entry), finding)
    },

    all: (): ObservedClient[] => [...entries.values()].map(toObservedClient)
  }
}

const toObservedClient = (
  { findings, ...entry }: ClientEntry
): ObservedClient => ({ ...entry, findings: [...findings.values()] })
