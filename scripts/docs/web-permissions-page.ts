/** Writes docs/reference/web-permissions.md from the table of permissions. */
import { pageOperations, permissions } from '../../src/administration/operations.js'
import { describeScope, SCOPES } from '../../src/planning/scope-words.js'
import { rolesSentence } from '../../src/administration/role-words.js'
import { AGENT_POLICIES, WRITES, WRITING_ROLES, WRITING_SCOPES, type WriteEffect } from '../../src/planning/agent-policy.js'
import type { Permission, Reach } from '../../src/administration/permission.js'
import { markdownTable, writePage } from '../markdown.mjs'

const WORDS: Record<Reach, string> = { none: '–', own: 'own', workspace: 'workspace', all: 'all' }
const COLUMNS: ReadonlyArray<[keyof Permission, string]> = [
  ['anyone', 'anyone signed in'], ['viewer', 'viewer'], ['editor', 'editor'], ['admin', 'admin'], ['serverAdmin', 'server administrator']
]

const EFFECTS: Record<WriteEffect, string> = { refused: 'refused', 'at once': 'at once', proposal: 'a proposal', evidence: 'at once with evidence, else a proposal' }
const orOf = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(' or ')

const rows = Object.entries(pageOperations).map(([key, { id, summary }]) =>
  [summary, `\`${key}\``, ...COLUMNS.map(([role]) => WORDS[permissions[id][role]])])

await writePage('web-permissions.md', 'npm run fresh from src/administration/operations', [
  '# Permissions of the web application',
  'Viewer, editor and admin are roles in a workspace. A server administrator is a property of a person (`users set-admin`).',
  `${rolesSentence()}. Agents of all three read the same; those of editors and admins [write](#agents-that-write) where the workspace lets them.`,
  '## Scopes',
  'The scope of a credential says which tools it can call, and for an API key how many calls it has ([limits](refusals.md#rate-limits)). It gives no right in the pages.',
  markdownTable(['scope', 'can call'], SCOPES.map((scope) => [`\`${scope}\``, describeScope(scope)])),
  '## Agents that write',
  'A workspace says what agents may do there: `agents` is `read` (nothing but reading, the default), `propose` or `report`. Its admins and server administrators ' +
    'set it, on the page *Workspaces* or with `workspaces update SLUG --agents POLICY`; before agents may do more, both list the credentials that gain by it.',
  `A credential writes there with the scope ${orOf(WRITING_SCOPES)}, when its user has the role ${orOf(WRITING_ROLES)}. What a call does then, by policy:`,
  markdownTable(['call', ...AGENT_POLICIES.map((policy) => `\`${policy}\``)],
    Object.entries(WRITES).map(([call, effects]) => [`\`${call}\``, ...AGENT_POLICIES.map((policy) => EFFECTS[effects[policy]])])),
  'A call is refused in this order: no workspace that the credential sees lets agents write: there is no such tool; its scope does not suffice: 403, whose challenge names ' +
    'the scope; its user has none of these roles in any such workspace, or not in this one: 403; it does not see the workspace: 403; the workspace lets agents read only: ' +
    'a result with the error `agents_read_only`. `tools/list` shows the tools that write only to callers who may call them. A gateway never shows them.',
  '## Operations',
  '- **own**: records of the person, and credentials of the service accounts that they own.\n' +
  '- **workspace**: records of the workspaces in which the person has this role. For keys and tokens: those that are limited to such workspaces.\n' +
  '- **all**: every record of the server.\n' +
  '- **–**: forbidden (403), or an empty list. A record that a person may not see is answered as one that does not exist (404).',
  'Only the owner of a key or token can rotate it, because anyone who has a new secret acts as its user. Server administrators count as ' +
    'owners of every service account.',
  'What a person sees of explorations, in lists, searches, counts and choices of workspaces, is what their credentials read: the workspaces that they ' +
    'are a member of, without archived ones. A server administrator sees no more than others. They manage every workspace, and join one on the page ' +
    '*Workspaces*, as its admin. A key or token is limited only to workspaces that its owner is a member of.',
  'A page for which a person lacks the right (`right` in src/web/page-paths.ts) is answered with 403, and says whom to ask.',
  'Signing in, passkeys, sessions and the account are always a person\'s own. Invitations are made by server administrators.',
  'Each change is in the audit log as `web/<operation>` with the person who made it; denials are recorded too. ' +
    'Usage is counted from the audit log by the hour and kept for 93 days.',
  markdownTable(['what', 'operation', ...COLUMNS.map(([, name]) => name)], rows)
])
