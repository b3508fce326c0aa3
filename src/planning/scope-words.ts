/** What each scope lets a credential do, in words that follow from what the tools need. */
import { allows, type Scope } from '../lib/principal.js'
import { pluralize } from '../lib/text/text.js'
import { tools } from './tools/index.js'
import type { PlanningTool } from './tools/planning-tool.js'

/** Each has what the one before it has. */
export const SCOPES = ['read', 'read_write', 'admin'] as const satisfies readonly Scope[]

type ToolFacts = Pick<PlanningTool, 'name' | 'title' | 'scope' | 'annotations' | 'access'>

/** Returns what a credential with this scope can call, without a full stop. */
export const describeScope = (scope: Scope, all: readonly ToolFacts[] = tools): string => {
  const below = SCOPES[SCOPES.indexOf(scope) - 1]
  const callable = all.filter(({ scope: needed = 'read' }) => allows(scope, needed))
  const onlyRead = callable.every(({ annotations }) => annotations?.readOnlyHint)
  const counted = pluralize(callable.length, onlyRead ? 'read-only tool' : 'tool')
  if (below === undefined) return counted
  const added = callable.filter(({ scope: needed = 'read' }) => !allows(below, needed))
  if (added.length === 0) return `the same ${counted}: none needs this scope`
  const where = added.some(({ access }) => access) ? ', where a workspace lets agents write' : ''
  return `${counted}, also: ${added.map(({ name, title = name }) => title).join(', ')}${where}`
}

export const scopesSentence = (): string => SCOPES.map((scope) => `${scope}: ${describeScope(scope)}`).join('; ')
