/** What each role in a workspace may do, in words that follow from the table of permissions. */
import type { Role } from '../access/sign-in/oidc-identities.js'
import { permissions, type PageOperationId } from './operations.js'

const CREDENTIALS = 'see and revoke keys and tokens that are limited to the workspace'
const MEMBERS = 'manage the members'
const EDITS = 'make explorations and edit them, their packages and plans'
const DECISIONS = 'decide about proposals, answer questions and undo changes'
const AGENTS = 'decide whether agents write'

/** What a person does with an operation that one role has and the role below it lacks. */
const WORDS: Partial<Record<PageOperationId, string>> = {
  createExploration: EDITS,
  makeChanges: EDITS,
  getRecord: EDITS,
  listHeldItems: EDITS,
  getPlanPatch: EDITS,
  listInbox: DECISIONS,
  listProposals: DECISIONS,
  acceptProposal: DECISIONS,
  dismissProposal: DECISIONS,
  answerQuestion: DECISIONS,
  undoChange: DECISIONS,
  listMembers: MEMBERS,
  setMembership: MEMBERS,
  removeMembership: MEMBERS,
  updateWorkspace: AGENTS,
  listWriters: AGENTS,
  listKeys: CREDENTIALS,
  revokeKey: CREDENTIALS,
  listTokens: CREDENTIALS,
  revokeToken: CREDENTIALS
}

/** The operation's id where it has no words. */
const added = (role: Role, below: Role): string[] => {
  const operations = (Object.keys(permissions) as PageOperationId[])
    .filter((id) => permissions[id][role] !== permissions[id][below])
  return [...new Set(operations.map((id) => WORDS[id] ?? id))]
}

const also = (words: readonly string[]): string =>
  words.length === 0 ? 'can do nothing more' : `also ${words.join(', and ')}`

/** What the three roles may do, as one sentence without a full stop. */
export const rolesSentence = (): string =>
  `Viewers read; editors ${also(added('editor', 'viewer'))}; admins ${also(added('admin', 'editor'))}`
