/** The resources as the protocol sees them: found by URI, listed page by page, completed by template. */
import { attachServices, type RequestContext } from '../request-context.js'
import { Refusal } from '../../lib/errors.js'
import { stripInvisibleIn } from '../../lib/invisible.js'
import type { Resource, ResourceContents, ResourceEntry, Subject, Variables } from './resource.js'
import { uriTemplate } from './uri-template.js'

export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: string
}

export interface ReadResult {
  contents: ResourceContents & { lastModified?: string }
  ttlMs: number
}

export interface ResourceRegistry {
  templates: readonly ResourceTemplate[]
  list (context: RequestContext, cursor: string | undefined): Promise<{ entries: ResourceEntry[], next?: string }>
  /** Undefined when nothing is there. */
  read (uri: string, context: RequestContext): Promise<ReadResult | undefined>
  /** Whether each of these URIs names something that there is and that the caller may see; nothing is read of it. */
  locate (uris: readonly string[], context: RequestContext): Promise<boolean[]>
  /** The same text for all spellings of one resource's URI; undefined when it is none. */
  canonical (uri: string): string | undefined
  /** Undefined when there is no such template or variable. */
  complete (
    template: string, variable: string, prefix: string, otherArguments: Variables, context: RequestContext
  ): Promise<string[] | undefined>
}

/** `locateSubjects` looks at many subjects at once; resources are read one by one where it, or their subject, is absent. */
export const resourceRegistry = <Services extends object>(
  resources: ReadonlyArray<Resource<Services>>, services: Services,
  locateSubjects?: (subjects: readonly Subject[], context: RequestContext & Services) => Promise<boolean[]>
): ResourceRegistry => {
  const shelves = resources.map((resource) => ({ resource, ...uriTemplate(resource.template) }))
  const listed = shelves.filter(({ resource, variables }) => resource.list ?? variables.length === 0)

  const matching = (uri: string) => {
    for (const { resource, match, fill } of shelves) {
      const variables = match(uri)
      if (variables) return { resource, variables, fill }
    }
    return undefined
  }

  return {
    templates: shelves.filter(({ variables }) => variables.length > 0).map(({ resource }) => ({
      uriTemplate: resource.template,
      name: resource.name,
      title: resource.title,
      description: resource.description,
      mimeType: resource.mimeType
    })),

    // A cursor is the number of the shelf and that shelf's own cursor: each shelf is listed to its end, then the next.
    async list (context, cursor) {
      const at = cursor === undefined ? { shelf: 0, inner: undefined } : readCursor(cursor, listed.length)
      const entries: ResourceEntry[] = []
      for (let shelf = at.shelf; shelf < listed.length; shelf++) {
        const { resource } = listed[shelf]!
        if (!resource.list) {
          entries.push(entryOf(resource))
          continue
        }
        const page = await resource.list(attachServices(context, services), shelf === at.shelf ? at.inner : undefined)
        entries.push(...stripInvisibleIn(page.entries))
        if (page.next !== undefined) return { entries, next: `${shelf}:${page.next}` }
      }
      return { entries }
    },

    async read (uri, context) {
      const found = matching(uri)
      const contents = await found?.resource.read(found.variables, attachServices(context, services))
      return found && contents && { contents: { uri, ...stripInvisibleIn(contents) }, ttlMs: found.resource.ttlMs }
    },

    async locate (uris, context) {
      const there = uris.map(() => false)
      const located: Array<{ at: number, subject: Subject }> = []
      for (const [at, uri] of uris.entries()) {
        const found = matching(uri)
        const subject = locateSubjects && found?.resource.subject?.(found.variables)
        if (subject) {
          located.push({ at, subject })
        } else if (found) {
          context.signal.throwIfAborted()
          there[at] = await found.resource.read(found.variables, attachServices(context, services)) !== undefined
        }
      }
      const subjects = located.map(({ subject }) => subject)
      const all = subjects.length === 0 ? [] : await locateSubjects?.(subjects, attachServices(context, services)) ?? []
      for (const [n, { at }] of located.entries()) there[at] = all[n] === true
      return there
    },

    canonical (uri) {
      const found = matching(uri)
      return found?.fill(found.variables).toLowerCase()
    },

    async complete (template, variable, prefix, otherArguments, context) {
      const shelf = shelves.find(({ resource }) => resource.template === template)
      if (!shelf?.variables.includes(variable)) return undefined
      return await shelf.resource.complete?.(variable, prefix, otherArguments, attachServices(context, services)) ?? []
    }
  }
}

const entryOf = <Services>({ template, name, title, description, mimeType }: Resource<Services>): ResourceEntry =>
  ({ uri: template, name, title, description, mimeType })

const readCursor = (cursor: string, shelves: number): { shelf: number, inner: string } => {
  const [, shelf, inner] = /^(\d{1,3}):(.{1,2000})$/s.exec(cursor) ?? []
  if (shelf === undefined || inner === undefined || Number(shelf) >= shelves) {
    throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
  }
  return { shelf: Number(shelf), inner }
}
