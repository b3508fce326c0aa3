/** Compares two surfaces of a server, and reports each change with its class. */
import { isObject, ownValue } from '../../lib/json/json-object.js'
import { createCheck, type Check } from '../reports/report.js'
import { classify, type ChangeClass } from './classify.js'
import { knownOf, oddCharactersIn, suspicionsOf, type Known } from './suspicious.js'
import type { Surface, Surfaces } from './surface.js'

interface Change { path: readonly string[], before: unknown, after: unknown }

const SEVERITY: readonly ChangeClass[] = ['suspicious', 'breaking', 'behaviour', 'text']
/** Lists of schemas are compared one by one while their number stays. */
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const MAX_SHOWN = 300

/** Returns a failed check for each change between two surfaces, and a passed one for each item without a change. */
export const diffSurfaces = (before: Surfaces, after: Surfaces): Check[] =>
  Object.keys({ ...before, ...after }).flatMap((credential) => {
    const [old, current] = [before[credential] ?? {}, after[credential] ?? {}]
    return Object.keys({ ...old, ...current }).flatMap((revision) => {
      const group = `${credential}, ${revision}`
      const [was, is] = [old[revision], current[revision]]
      if (was && is) return compareSurface(group, was, is)
      const outcome = was ? 'breaking' : 'behaviour'
      return [toCheck(group, [revision], outcome, `The revision is ${was ? 'no longer' : 'now'} served.`)]
    })
  })

/** Returns a failed check for each item with invisible or look-alike characters, and a passed one for each other. */
export const inspectSurfaces = (surfaces: Surfaces): Check[] =>
  Object.entries(surfaces).flatMap(([credential, revisions]) =>
    Object.entries(revisions).flatMap(([revision, surface]) => itemsOf(surface).map((path) => {
      const [kind = '', name = ''] = path
      const oddities = oddCharactersIn(surface[kind]?.[name], name)
      const group = `${credential}, ${revision}`
      return oddities.length > 0
        ? toCheck(group, path, 'suspicious', oddities.join('\n'))
        : unchanged(group, path, 'locked')
    })))

const compareSurface = (group: string, before: Surface, after: Surface): Check[] => {
  const changes = changesBetween(before, after)
  const tools = Object.keys({ ...before['tools'], ...after['tools'] })
  let ofSurface: Known | undefined
  const failed = changes.map((change) => {
    const { path, before: was, after: is } = change
    const [kind, name = ''] = path
    const field = path.at(-1) ?? ''
    if (path.length < 3) ofSurface ??= knownOf(before)
    const known = path.length < 3 && ofSurface ? ofSurface : knownOf(was, field)
    const suspicions = is === undefined || (kind === 'server' && field === 'version')
      ? []
      : suspicionsOf(change, field, known, tools.filter((tool) => kind !== 'tools' || tool !== name))
    const outcome = suspicions.length > 0 ? 'suspicious' : classify(path, was, is)
    return toCheck(group, path, outcome, [...suspicions, `was ${shown(was)}`, `is  ${shown(is)}`].join('\n'))
  })
  const isChanged = new Set(changes.map(({ path }) => path.slice(0, 2).join('\n')))
  return [
    ...failed.sort((one, other) => rank(one.outcome) - rank(other.outcome)),
    ...itemsOf(after).filter((path) => !isChanged.has(path.join('\n')))
      .map((path) => unchanged(group, path, 'unchanged'))
  ]
}

const rank = (outcome: string): number => SEVERITY.findIndex((each) => each === outcome)

const itemsOf = (surface: Surface): string[][] =>
  Object.entries(surface).flatMap(([kind, items]) => Object.keys(items).map((name) => [kind, name]))

/** Returns the changes at the deepest places where the two still have the same form. */
const changesBetween = (before: unknown, after: unknown, path: readonly string[] = []): Change[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [was, is] = [partsOf(before, path.at(-1)), partsOf(after, path.at(-1))]
  const isSameLength = !Array.isArray(before) || (Array.isArray(after) && before.length === after.length)
  if (!was || !is || !isSameLength) return [{ path, before, after }]
  return Object.keys({ ...was, ...is })
    .flatMap((key) => changesBetween(ownValue(was, key), ownValue(is, key), [...path, key]))
}

const partsOf = (value: unknown, key = ''): Readonly<Record<string, unknown>> | undefined => {
  if (isObject(value)) return value
  return Array.isArray(value) && SCHEMA_LISTS.has(key) ? { ...value } : undefined
}

const shown = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, MAX_SHOWN)

const toCheck = (group: string, path: readonly string[], outcome: ChangeClass, detail: string): Check => createCheck({
  id: idOf(group, path),
  group,
  title: `${path.slice(0, 2).join(' ')} is what was locked.`,
  level: outcome === 'breaking' || outcome === 'suspicious' ? 'MUST' : 'SHOULD',
  status: 'failed',
  outcome,
  detail
})

const unchanged = (group: string, path: readonly string[], outcome: string): Check =>
  ({ ...toCheck(group, path, 'text', ''), status: 'passed', level: 'MUST', outcome })

const idOf = (group: string, path: readonly string[]): string =>
  [group.replace(', ', '/'), ...path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
