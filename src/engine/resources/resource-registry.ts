/** The registry of resources: finds them by URI, lists them page by page, and completes their templates. */
import type { AttachServices, RequestContext } from '../request-context.js'
import { Refusal } from '../../lib/errors.js'
import { pick } from '../../lib/json/json-object.js'
import { stripInvisibleIn } from '../../lib/text/invisible.js'
import type { LocateResources, Resource, ResourceContents, ResourceEntry, Variables } from './resource.js'
import { acceptsViews, type ResourceView } from '../views/view.js'

export interface ReadResult {
  contents: ReadonlyArray<ResourceContents & { lastModified?: string }>
  ttlMs: number
  /** What a host needs to show the contents, when they are a view's document. */
  view?: ResourceView | undefined
  /** Whether it is a text of the server itself, the same for every caller, and so no text of a record. */
  isShared?: boolean
}

/** Compiles a template of RFC 6570 level 1, such as `note://{name}`. A variable matches anything but `/`, `?` and `#`. */
const uriTemplate = (template: string) => {
  const variables: string[] = []
  const pattern = template.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    variables.push(part)
    return '([^/?#]+)'
  }).join('')
  const expression = new RegExp(`^${pattern}$`)

  return {
    variables,
    match (uri: string): Variables | undefined {
      const found = expression.exec(uri)
      if (!found) return undefined
      try {
        return Object.fromEntries(variables.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
      } catch {
        return undefined // a stray percent sign
      }
    },
    /** Always in the same spelling. */
    fill: (values: Variables): string =>
      template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  }
}

/** Finds the resource whose template a URI matches: the first one. */
const uriMatcher = <R extends Pick<Resource, 'template'>>(resources: readonly R[]) => {
  const entries = resources.map((resource) => ({ resource, ...uriTemplate(resource.template) }))
  const find = (uri: string) => {
    for (const { resource, match, fill } of entries) {
      const variables = match(uri)
      if (variables) return { resource, variables, fill }
    }
    return undefined
  }
  return { entries, find }
}

/** Returns a function that gives one text for all spellings of a URI; undefined for URIs of no resource. */
export const canonicalUris = (resources: ReadonlyArray<Pick<Resource, 'template'>>) => {
  const { find } = uriMatcher(resources)
  return (uri: string): string | undefined => {
    const found = find(uri)
    return found?.fill(found.variables).toLowerCase()
  }
}

export type ResourceRegistry = ReturnType<typeof resourceRegistry>

/** Each resource gets its services with its context. Without `locateResources`, `locate` reads each resource. */
export const resourceRegistry = <Services extends object>(
  resources: ReadonlyArray<Resource<Services>>, attachServices: AttachServices<Services>,
  locateResources?: LocateResources<Services>
) => {
  const { entries, find: matching } = uriMatcher(resources)
  const listed = entries.filter(({ resource, variables }) => resource.list ?? variables.length === 0)

  return {
    isEmpty: resources.length === 0,
    hasViews: resources.some(({ view }) => view !== undefined),

    templates: entries
      .filter(({ variables, resource }) => variables.length > 0 && !resource.view)
      .map(({ resource }) => ({ uriTemplate: resource.template, ...describe(resource) })),

    // A cursor is the index of a template and that template's own cursor: each template is listed to its end, then
    // the next one.
    async list (
      context: RequestContext, cursor: string | undefined
    ): Promise<{ entries: ResourceEntry[], next?: string }> {
      const start = cursor === undefined ? { index: 0, inner: undefined } : readCursor(cursor, listed)
      const listing: ResourceEntry[] = []
      const views = acceptsViews(context.client.capabilities)
      for (const [index, { resource }] of listed.entries()) {
        if (index < start.index || (resource.view !== undefined && !views)) continue
        if (!resource.list) {
          listing.push(entryOf(resource))
          continue
        }
        const inner = index === start.index ? start.inner : undefined
        const page = await resource.list(attachServices(context), inner)
        listing.push(...stripInvisibleIn(page.entries))
        if (page.next !== undefined) return { entries: listing, next: `${index}:${page.next}` }
      }
      return { entries: listing }
    },

    async read (uri: string, context: RequestContext): Promise<ReadResult | undefined> {
      const found = matching(uri)
      const contents = await found?.resource.read(found.variables, attachServices(context))
      if (!found || !contents) return undefined
      const { ttlMs, view } = found.resource
      return { contents: [contents].flat().map((one) => ({ uri, ...stripInvisibleIn(one) })), ttlMs, view }
    },

    /** Resolves, for each URI, with whether it names a resource that exists and that the caller may see. */
    async locate (uris: readonly string[], context: RequestContext): Promise<boolean[]> {
      const found = uris.flatMap((uri, at) => {
        const matched = matching(uri)
        return matched ? [{ ...matched, uri, at }] : []
      })
      const matched = found.map(({ uri, resource: { template }, variables }) => ({ uri, template, variables }))
      const located = matched.length === 0 ? [] : await locateResources?.(matched, attachServices(context)) ?? []
      const there = uris.map(() => false)
      for (const [n, { at, resource, variables }] of found.entries()) {
        context.signal.throwIfAborted()
        there[at] = located[n] ?? await resource.read(variables, attachServices(context)) !== undefined
      }
      return there
    },

    canonical: canonicalUris(resources),

    /** Suggests values for a variable; undefined when there is no such template or variable. */
    async complete (
      template: string, variable: string, prefix: string, otherArguments: Variables, context: RequestContext
    ): Promise<string[] | undefined> {
      const entry = entries.find(({ resource }) => resource.template === template)
      if (!entry?.variables.includes(variable)) return undefined
      return await entry.resource.complete?.(variable, prefix, otherArguments, attachServices(context)) ?? []
    }
  }
}

const describe = <Services>(resource: Resource<Services>) =>
  pick(resource, 'name', 'title', 'description', 'mimeType', 'icons', 'annotations', '_meta')

const entryOf = <Services>(resource: Resource<Services>): ResourceEntry => {
  const { template: uri, view, _meta: meta } = resource
  return { uri, ...describe(resource), ...pick(resource, 'size'), ...view && { _meta: { ...meta, ui: view } } }
}

const readCursor = (
  cursor: string, listed: ReadonlyArray<{ resource: { list?: unknown } }>
): { index: number, inner: string } => {
  const [, index, inner] = /^(\d{1,3}):(.{1,2000})$/s.exec(cursor) ?? []
  // A resource without variables is listed by itself: no page of it goes on.
  if (index === undefined || inner === undefined || listed[Number(index)]?.resource.list === undefined) {
    throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
  }
  return { index: Number(index), inner }
}
