/** Labels of values that several pages show. */
import type { Role } from '../../../access/sign-in/oidc-identities.js'
import type { Scope } from '../../../lib/principal.js'
import type { AgentPolicy } from '../../../planning/agent-policy.js'
import type { ExplorationStatus } from '../../../planning/records.js'
import type { BadgeTone } from '../components/states.js'

export const STATUS_TONES: Record<ExplorationStatus, BadgeTone> = {
  draft: 'neutral', exploring: 'info', ready: 'accent', delivered: 'good', archived: 'neutral'
}

export const EXPLORATION_STATUSES = Object.keys(STATUS_TONES) as readonly ExplorationStatus[]

/** `in_progress` → `In progress`. */
export const sentenceCase = (value: string): string => {
  const words = value.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const ROLE_OPTIONS: ReadonlyArray<{ value: Role, label: string }> = [
  { value: 'viewer', label: 'Viewer' }, { value: 'editor', label: 'Editor' }, { value: 'admin', label: 'Admin' }
]

export const SCOPE_LABELS: Record<Scope, string> = { read: 'Read', read_write: 'Read and write', admin: 'Admin' }

export const AGENT_POLICY_LABELS: Record<AgentPolicy, string> = { read: 'Read', propose: 'Propose', report: 'Report' }

export const KIND_LABELS = {
  api_key: 'API key', personal_access_token: 'Personal token', connection: 'Connected application'
} as const
