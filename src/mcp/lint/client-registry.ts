/** Who has been seen and what they did wrong: one entry per client name and version, one finding per rule. */
import type { Client } from '../request-context.js'
import type { Clause } from '../eras/clauses.js'
import type { Era } from '../eras/era.js'
import { redactText } from '../../lib/redact/redact.js'
import { remember } from '../../lib/lru.js'
import { ruleFor, type RuleId } from './rules.js'

export interface Finding {
  rule: RuleId
  level: 'MUST' | 'SHOULD'
  spec: Clause
  sentence: string
  count: number
  /** RFC 3339. */
  first_at: string
  last_at: string
  /** The last time: the request as the log knows it, and what it was about. */
  request_id: string
  detail: string
}

export interface ObservedClient {
  /** As declared; null when it declared none. */
  name: string | null
  version: string | null
  user_agent: string | null
  revisions: string[]
  exchanges: number
  sessions: { opened: number, ended: number }
  first_at: string
  last_at: string
  findings: Finding[]
}

export interface Entry extends Omit<ObservedClient, 'findings'> {
  findings: Map<string, Finding>
}

export interface Occurrence { rule: RuleId, era: Era['name'], at: number, requestId: string, detail: string }

/** Told of the first time that a client breaks a rule. */
export type Heard = (client: ObservedClient, finding: Finding) => void

const MOST_CLIENTS = 500
const MOST_DETAIL = 200

export const clientBook = (heard: Heard) => {
  const entries = new Map<string, Entry>()

  return {
    /** The entry of a client; one without a name is known by its user agent. */
    entryOf ({ name, version }: Partial<Client>, userAgent: string | undefined, at: number): Entry {
      const agent = userAgent === undefined ? null : redactText(userAgent).slice(0, MOST_DETAIL)
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
      return remember(entries, key, entry, MOST_CLIENTS)
    },

    say (entry: Entry, { rule, era, at, requestId, detail }: Occurrence): void {
      const found = ruleFor(rule, era)
      const key = `${rule} ${found.spec.revision}`
      const now = new Date(at).toISOString()
      const latest = { last_at: now, request_id: requestId, detail: redactText(detail).slice(0, MOST_DETAIL) }
      const known = entry.findings.get(key)
      if (known) {
        Object.assign(known, latest, { count: known.count + 1 })
        return
      }
      const finding = { rule, ...found, count: 1, first_at: now, ...latest }
      entry.findings.set(key, finding)
      heard(shown(entry), finding)
    },

    all: (): ObservedClient[] => [...entries.values()].map(shown)
  }
}

const shown = ({ findings, ...entry }: Entry): ObservedClient => ({ ...entry, findings: [...findings.values()] })
