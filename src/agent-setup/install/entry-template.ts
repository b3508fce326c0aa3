/** Fills in the template of an agent's entry, and reads entries back. */
import { createHash } from 'node:crypto'
import { kindOf } from '../../access/credentials/credential-form.js'
import { Refusal } from '../../lib/errors.js'
import { isTemplate, type Agent, type SecretReference, type Template } from '../registry/agent.js'
import { at, same, treeOf, valueOf, type Path, type Tree, type Value } from '../config-files/tree.js'
import { requirePlainUrl } from '../server-text.js'

export interface TemplateValues { name: string, url: string, secret: SecretReference }

/** Stands for a token that does not exist yet, when a plan is shown. */
export const PLACEHOLDER_TOKEN = 'svc_pat_NEW'

const NAME = /^[A-Za-z][\w-]{0,63}$/
// eslint-disable-next-line no-control-regex -- control characters and line separators
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** What each kind of reference may contain, so that nothing in it is expanded or executed. */
const WRITABLE: Record<SecretReference['kind'], (value: string) => boolean> = {
  token: (value) => value === PLACEHOLDER_TOKEN || kindOf(value) !== undefined,
  file: (value) => !CONTROL.test(value) && !/[${}]/.test(value),
  command: (value) => !CONTROL.test(value),
  variable: (value) => /^[A-Za-z_]\w{0,127}$/.test(value),
  prompt: (value) => /^[\w-]{1,64}$/.test(value)
}

/**
 * The values to write, in order; undefined when the agent does not support this kind of reference. Everything that is
 * written into an agent's file comes from here.
 * @throws {Refusal} for an invalid name, address or secret
 */
export const valuesOf = (agent: Agent, blanks: TemplateValues): Array<{ path: Path, value: Value }> | undefined => {
  requireWritable(blanks)
  if (!WRITABLE[blanks.secret.kind](blanks.secret.value)) {
    throw new Refusal(`The ${blanks.secret.kind} has a form that is not written into any file.`)
  }
  const named = agent.secret[blanks.secret.kind]
  if (!named) return undefined
  const entry = { path: [...agent.servers, blanks.name], value: fill({ ...agent.entry, ...named }, blanks) }
  if (blanks.secret.kind !== 'prompt' || !agent.extraElement) return [entry]
  const { path, element } = agent.extraElement
  return [{ path: [...path, { id: blanks.secret.value }], value: fill(element, blanks) }, entry]
}

/** The values to write for an address where the user signs in; undefined when the agent signs no one in. */
export const oauthValuesOf = (
  agent: Agent, { name, url }: Omit<TemplateValues, 'secret'>
): Array<{ path: Path, value: Value }> | undefined => {
  requireWritable({ name, url })
  if (!agent.oauth) return undefined
  return [{ path: [...agent.servers, name], value: fill(agent.oauth.entry ?? agent.entry, { name, url }) }]
}

const requireWritable = ({ name, url }: Pick<TemplateValues, 'name' | 'url'>): void => {
  if (!NAME.test(name)) throw new Refusal('The name of an entry is a word of letters, digits, - and _.')
  requirePlainUrl(url)
}

type PartialValues = Omit<TemplateValues, 'secret'> & Partial<TemplateValues>

const fill = (template: Template, { name, url, secret }: PartialValues): Value => {
  const values: Record<string, string | undefined> = { '<name>': name, '<url>': url, '<secret>': secret?.value }
  const inText = (text: string) => text.replace(/<(?:name|url|secret)>/g, (blank) => values[blank] ?? blank)
  const inside = (value: Template[string]): Value => {
    if (typeof value === 'string') return inText(value)
    if (isTemplate(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inside(inner)]))
    return typeof value === 'object' ? value.map(inText) : value
  }
  return inside(template)
}

export type ReadEntry = ReturnType<typeof readEntry>

/** Reads the fields that the agent's template names. A field of another type is undefined. */
export const readEntry = (agent: Agent, entry: Tree) => {
  const text = (path: Path | undefined) => {
    const value = path && at(entry, path)
    return typeof value === 'string' ? value : undefined
  }
  return {
    url: text(pathOf(agent.entry, '<url>')),
    /** As it stands in the file: placeholders are not resolved. */
    authorization: text(agent.secret.token && pathOf(agent.secret.token, '<secret>')),
    command: text(agent.secret.command && pathOf(agent.secret.command, '<secret>')),
    variable: text(agent.secret.variable && pathOf(agent.secret.variable, '<secret>')),
    /** Fields that are missing, or whose value this agent would not understand. */
    mismatches: Object.entries(agent.entry)
      .filter(([key]) => !agent.ignoredFields?.includes(key))
      .filter(([key, value]) => typeof value === 'string' && value.includes('<')
        ? text([key]) === undefined
        : !same(at(entry, [key]), treeOf(value)))
      .map(([key]) => key)
  }
}

const pathOf = (template: Template, blank: string): string[] | undefined => {
  for (const [key, value] of Object.entries(template)) {
    if (typeof value === 'string' && value.includes(blank)) return [key]
    const inner = isTemplate(value) ? pathOf(value, blank) : undefined
    if (inner) return [key, ...inner]
  }
}

/** A hash by which a changed entry is recognized, without storing it. Fields that the agent writes do not count. */
export const digestOf = (tree: Tree, { ignoredFields = [] }: Agent): string => {
  const own = tree instanceof Map ? new Map([...tree].filter(([key]) => !ignoredFields.includes(key))) : tree
  return createHash('sha256').update(canonical(own)).digest('hex')
}

/** The new value with the fields that the agent wrote into the old one. */
export const withPreservedFields = (value: Value, old: Tree | undefined, { ignoredFields = [] }: Agent): Value => {
  if (!(old instanceof Map) || typeof value !== 'object' || Array.isArray(value)) return value
  const preserved = [...old].filter(([key]) => ignoredFields.includes(key))
  return { ...value, ...Object.fromEntries(preserved.map(([key, inner]) => [key, valueOf(inner)])) }
}

const canonical = (tree: Tree): string => {
  if (tree instanceof Map) {
    const pairs = [...tree].sort(([one], [other]) => one < other ? -1 : 1)
    return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join()}}`
  }
  if (Array.isArray(tree)) return `[${tree.map(canonical).join()}]`
  return typeof tree === 'bigint' ? `${tree}` : JSON.stringify(tree)
}
