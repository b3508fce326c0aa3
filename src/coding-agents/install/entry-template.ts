/** An entry of an agent, filled in, and read back. */
import { createHash } from 'node:crypto'
import { kindOf } from '../../auth/credential-form.js'
import { Refusal } from '../../lib/errors.js'
import type { Agent, SecretReference, Template } from '../registry/agent.js'
import type { Path, Tree, Value } from '../config-files/editor.js'
import { at, same, treeOf, valueOf } from '../config-files/tree.js'
import { requirePlainUrl } from '../server-text.js'

export interface TemplateValues { name: string, url: string, secret: SecretReference }

/** What stands for a token that is not there yet, in what is shown of a plan. */
export const PLACEHOLDER_TOKEN = 'svc_pat_NEW'

const NAME = /^[A-Za-z][\w-]{0,63}$/
// eslint-disable-next-line no-control-regex -- what ends a line, or is not seen
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Of each way to name a secret: what may be written, so that nothing in it is expanded, executed or read as more
 * than a value.
 */
const WRITABLE: Record<SecretReference['kind'], (value: string) => boolean> = {
  token: (value) => value === PLACEHOLDER_TOKEN || kindOf(value) !== undefined,
  file: (value) => !CONTROL.test(value) && !/[${}]/.test(value),
  command: (value) => !CONTROL.test(value),
  variable: (value) => /^[A-Za-z_]\w{0,127}$/.test(value),
  prompt: (value) => /^[\w-]{1,64}$/.test(value)
}

/**
 * What goes where, in the order of putting; undefined where the agent does not know this way to name a secret.
 * Everything that is written into an agent's file comes from here.
 * @throws {Refusal} for a name, an address or a secret that is not of the form that it has to have
 */
export const valuesOf = (agent: Agent, blanks: TemplateValues): Array<{ path: Path, value: Value }> | undefined => {
  if (!NAME.test(blanks.name)) throw new Refusal('The name of an entry is a word of letters, digits, - and _.')
  requirePlainUrl(blanks.url)
  if (!WRITABLE[blanks.secret.kind](blanks.secret.value)) throw new Refusal(`The ${blanks.secret.kind} has a form that is not written into any file.`)
  const named = agent.secret[blanks.secret.kind]
  if (!named) return undefined
  const entry = { path: [...agent.servers, blanks.name], value: fill({ ...agent.entry, ...named }, blanks) }
  if (blanks.secret.kind !== 'prompt' || !agent.extraElement) return [entry]
  return [{ path: [...agent.extraElement.path, { id: blanks.secret.value }], value: fill(agent.extraElement.element, blanks) }, entry]
}

const fill = (template: Template, { name, url, secret }: TemplateValues): Value => {
  const values: Record<string, string> = { '<name>': name, '<url>': url, '<secret>': secret.value }
  const inText = (text: string) => text.replace(/<(?:name|url|secret)>/g, (blank) => values[blank]!)
  const inside = (value: Template[string]): Value => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map(inText)
    if (typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value as Template).map(([key, inner]) => [key, inside(inner)]))
  }
  return inside(template)
}

/** What an entry says, wherever this agent keeps it: for trying it out as the agent would. */
export interface ReadEntry {
  url: string | undefined
  /** As it stands there: a placeholder is not resolved. */
  authorization: string | undefined
  command: string | undefined
  variable: string | undefined
  /** Fields whose value this agent would not understand, or that it lacks. */
  mismatches: string[]
}

export const readEntry = (agent: Agent, entry: Tree): ReadEntry => {
  const text = (path: Path | undefined) => {
    const value = path && at(entry, path)
    return typeof value === 'string' ? value : undefined
  }
  return {
    url: text(pathOf(agent.entry, '<url>')),
    authorization: text(agent.secret.token && pathOf(agent.secret.token, '<secret>')),
    command: text(agent.secret.command && pathOf(agent.secret.command, '<secret>')),
    variable: text(agent.secret.variable && pathOf(agent.secret.variable, '<secret>')),
    mismatches: Object.entries(agent.entry)
      .filter(([key]) => !agent.ignoredFields?.includes(key))
      .filter(([key, value]) => typeof value === 'string' && value.includes('<') ? text([key]) === undefined : !same(at(entry, [key]), treeOf(value)))
      .map(([key]) => key)
  }
}

const pathOf = (template: Template, blank: string): string[] | undefined => {
  for (const [key, value] of Object.entries(template)) {
    if (typeof value === 'string' && value.includes(blank)) return [key]
    const inner = typeof value === 'object' && !Array.isArray(value) ? pathOf(value as Template, blank) : undefined
    if (inner) return [key, ...inner]
  }
}

/** Tells an entry from a changed one without keeping it. Fields that the agent writes by itself do not count. */
export const digestOf = (tree: Tree, { ignoredFields = [] }: Agent): string =>
  createHash('sha256').update(canonical(tree instanceof Map ? new Map([...tree].filter(([key]) => !ignoredFields.includes(key))) : tree)).digest('hex')

/** A new value with what the agent wrote into the old one. */
export const withPreservedFields = (value: Value, old: Tree | undefined, { ignoredFields = [] }: Agent): Value => {
  if (!(old instanceof Map) || typeof value !== 'object' || Array.isArray(value)) return value
  return {
    ...value,
    ...Object.fromEntries([...old].filter(([key]) => ignoredFields.includes(key)).map(([key, inner]) => [key, valueOf(inner)]))
  }
}

const canonical = (tree: Tree): string => {
  if (tree instanceof Map) {
    const pairs = [...tree].sort(([one], [other]) => one < other ? -1 : 1)
    return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join()}}`
  }
  if (Array.isArray(tree)) return `[${tree.map(canonical).join()}]`
  return typeof tree === 'bigint' ? `${tree}` : JSON.stringify(tree)
}
