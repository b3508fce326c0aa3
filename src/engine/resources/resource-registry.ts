/** The registry of resources: finds them by URI, lists them page by page, and completes their templates. */
import type { AttachServices, RequestContext } from '../request-context.js'
import { Refusal } from '../../lib/errors.js'
import type { Icon } from '../icon.js'
import { stripInvisibleIn } from '../../lib/text/invisible.js'
import type {
  LocateResources, Resource, ResourceAnnotations, ResourceContents, ResourceEntry, Variables
} from './resource.js'
import { acceptsViews, type ResourceView } from '../views/view.js'
import { uriTemplate } from './uri-template.js'

export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType: string
  icons?: readonly Icon[]
  annotations?: ResourceAnnotations
  _meta?: Readonly<Record<string, unknown>>
}

export interface ReadResult {
  contents: ReadonlyArray<ResourceContents & { lastModified?: string }>
  ttlMs: number
  /** What a host needs to show the contents, when they are a view's document. */
  view?: ResourceView | undefined
  /** Whether it is a text of the server itself, the same for every caller, and so no text of a record. */
  isShared?: boolean
}

export interface ResourceRegistry {
  /** Whether there is any resource or template. */
  isEmpty: boolean
  /** Whether any resource is the document of a view. */
  hasViews: boolean
  templates: readonly ResourceTemplate[]
  list (context: RequestContext, cursor: string | undefined): Promise<{ entries: ResourceEntry[], next?: string }>
  /** Reads a resource. Resolves with undefined when there is none at this URI. */
  read (uri: string, context: RequestContext): Promise<ReadResult | undefined>
  /**
   * Resolves, for each URI, with whether it names a resource that exists and that the caller may see. Reads no
   * contents.
   */
  locate (uris: readonly string[], context: RequestContext): Promise<boolean[]>
  /** Returns one text for all spellings of a resource's URI; undefined when no template matches. */
  canonical (uri: string): string | undefined
  /** Suggests values for a variable. Resolves with undefined when there is no such template or variable. */
  complete (
    template: string, variable: string, prefix: string, otherArguments: Variables, context: RequestContext
  ): Promise<string[] | undefined>
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

/**
 * Creates the registry. Each resource gets its services with its context. `locateResources` checks many resources in
 * one call; without it, `locate` reads each.
 */
export const resourceRegistry = <Services extends object>(
  resources: ReadonlyArray<Resource<Services>>, attachServices: AttachServices<Services>,
  locateResources?: LocateResources<Services>
): ResourceRegistry => {
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
    async list (context, cursor) {
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

    async read (uri, context) {
      const found = matching(uri)
      const contents = await found?.resource.read(found.variables, attachServices(context))
      if (!found || !contents) return undefined
      const { ttlMs, view } = found.resource
      return { contents: [contents].flat().map((one) => ({ uri, ...stripInvisibleIn(one) })), ttlMs, view }
    },

    async locate (uris, context) {
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

    async complete (template, variable, prefix, otherArguments, context) {
      const entry = entries.find(({ resource }) => resource.template === template)
      if (!entry?.variables.includes(variable)) return undefined
      return await entry.resource.complete?.(variable, prefix, otherArguments, attachServices(context)) ?? []
    }
  }
}

const describe = <Services>(
  { name, title, description, mimeType, icons, annotations, _meta }: Resource<Services>
) => ({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    mimeType,
    ...(icons && { icons }),
    ...(annotations && { annotations }),
    ...(_meta && { _meta })
  })

const entryOf = <Services>(resource: Resource<Services>): ResourceEntry => {
  const { template, size, view, _meta: meta } = resource
  return {
    uri: template,
    ...describe(resource),
    ...(size !== undefined && { size }),
    ...(view && { _meta: { ...meta, ui: view } })
  }
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
