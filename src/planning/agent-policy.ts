/**
 * Which agents write where: the credential needs a scope and its user a role in the workspace; the workspace's policy
 * says what a call does then.
 */
import type { AgentPolicy, Scope, UserPrincipal, WorkspaceRules } from '../lib/principal.js'
import type { ToolAccess } from '../engine/tools/tool.js'

export type { AgentPolicy } from '../lib/principal.js'

/** What a workspace lets agents do: each has what the one before it has. */
export const AGENT_POLICIES = ['read', 'propose', 'report'] as const satisfies readonly AgentPolicy[]

export const POLICY_WORDS: Readonly<Record<AgentPolicy, string>> = {
  read: 'agents read only',
  propose: 'agents claim items, ask, note and report progress; done and changed texts wait for a person',
  report: 'the same, and done with evidence counts at once'
}

/** Whether the change of a workspace's policy lets agents do more. */
export const isWider = (after: AgentPolicy, before: AgentPolicy): boolean =>
  AGENT_POLICIES.indexOf(after) > AGENT_POLICIES.indexOf(before)

export const WRITING_SCOPE = 'read_write' satisfies Scope
export const WRITING_SCOPES: readonly Scope[] = [WRITING_SCOPE, 'admin']
export const WRITING_ROLES: ReadonlyArray<WorkspaceRules['role']> = ['editor', 'admin']

/** What a call does: nothing, something at once, or a proposal; `evidence`: at once with evidence, else a proposal. */
export type WriteEffect = 'refused' | 'at once' | 'proposal' | 'evidence'

/* eslint-disable @stylistic/no-multi-spaces, @stylistic/key-spacing -- a table */
export const WRITES = {
  //                          read               propose              report
  get_changes:              { read: 'refused', propose: 'at once',  report: 'at once' },
  claim_item:               { read: 'refused', propose: 'at once',  report: 'at once' },
  add_note:                 { read: 'refused', propose: 'at once',  report: 'at once' },
  ask_question:             { read: 'refused', propose: 'at once',  report: 'at once' },
  report_progress:          { read: 'refused', propose: 'at once',  report: 'at once' },
  'report_progress done':   { read: 'refused', propose: 'proposal', report: 'evidence' },
  propose_change:           { read: 'refused', propose: 'proposal', report: 'proposal' }
} as const satisfies Record<string, Record<AgentPolicy, WriteEffect>>
/* eslint-enable @stylistic/no-multi-spaces, @stylistic/key-spacing */

export type WritingCall = keyof typeof WRITES

export const effectOf = (
  call: WritingCall, policy: AgentPolicy, hasEvidence = false
): Exclude<WriteEffect, 'evidence'> => {
  const effect: WriteEffect = WRITES[call][policy]
  if (effect !== 'evidence') return effect
  return hasEvidence ? 'at once' : 'proposal'
}

/** Whether the user's role there lets a credential with the scope write, where the policy does. */
export const mayWriteAs = ({ role }: Pick<WorkspaceRules, 'role'>): boolean => WRITING_ROLES.includes(role)

export const NO_WRITING_ROLE = {
  message: 'Only the credential of an editor or admin of a workspace that lets agents write can call this.',
  hint: 'An admin of that workspace can make the user of this credential an editor.'
}

const accessToWriting = ({ rules }: UserPrincipal): ToolAccess => {
  const open = [...rules?.values() ?? []].filter(({ agents }) => agents !== 'read')
  if (open.length === 0) return 'unknown'
  return open.some(mayWriteAs) ? 'granted' : NO_WRITING_ROLE
}

/** What each tool that writes has in its definition, and `get_changes`: who sees it, and who may call it. */
export const WRITING_TOOL = { scope: WRITING_SCOPE, access: accessToWriting }

/** Whether the caller is shown the tools that write. */
export const canWrite = (principal: UserPrincipal): boolean =>
  WRITING_SCOPES.includes(principal.credential.scope) && accessToWriting(principal) === 'granted'
