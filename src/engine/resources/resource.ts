/** The type of a resource, for the engine and for authors of resources. */
import type { Principal } from '../../lib/principal.js'
import type { Icon } from '../icon.js'
import type { RequestContext } from '../request-context.js'
import type { ResourceView } from '../views/view.js'

/** For whom a resource is, how important it is from 0 to 1, and when it was changed last (RFC 3339). */
export interface ResourceAnnotations {
  audience?: Array<'user' | 'assistant'>
  priority?: number
  lastModified?: string
}

/** A resource as `resources/list` shows it. */
export interface ResourceEntry {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  /** Of the contents, in bytes. */
  size?: number
  icons?: readonly Icon[]
  annotations?: ResourceAnnotations
  /** Metadata of the protocol or of an extension. */
  _meta?: Readonly<Record<string, unknown>>
}

/** What a resource holds: `text`, or `blob` in base64. */
export interface ResourceContents {
  uri: string
  mimeType: string
  text?: string
  blob?: string
  /** Metadata of the protocol or of an extension. */
  _meta?: Readonly<Record<string, unknown>>
}

/** What `read` returns: contents of the URI that was asked for, or of one below it. */
export interface ReadContents extends Omit<ResourceContents, 'uri'> {
  /** The URI that was asked for by default. */
  uri?: string
  /** RFC 3339; in the metadata of the contents. */
  lastModified?: string
}

/** The values of a URI template's variables, or of the arguments that were chosen so far. */
export type Variables = Record<string, string>

/** A URI that the template of a resource matches. */
export interface MatchedResource {
  uri: string
  template: string
  variables: Variables
}

/**
 * Resolves, for each, with whether it exists and the caller may see it; undefined when only a read can tell. The type
 * is that of a method, so that a function for a server's own principal fits where any principal is allowed.
 */
export type LocateResources<Services = unknown, P extends Principal = Principal> = {
  locate (
    resources: readonly MatchedResource[], context: RequestContext<P> & Services
  ): Promise<Array<boolean | undefined>>
}['locate']

/** A resource, or all resources whose URIs match a template. `Services` and `P` are what the server passes to all. */
export interface Resource<Services = unknown, P extends Principal = Principal> {
  /** RFC 6570 level 1, such as `note://{name}`; a resource without variables is listed by itself. */
  template: string
  name: string
  title?: string
  description?: string
  mimeType: string
  /** Of the contents, in bytes; for a resource without variables. */
  size?: number
  icons?: readonly Icon[]
  annotations?: ResourceAnnotations
  /** Metadata of the protocol or of an extension, as lists show it. */
  _meta?: Readonly<Record<string, unknown>>
  /** How long a client may cache what `read` returned, in milliseconds. */
  ttlMs: number
  /**
   * For the HTML document of a tool's view: what it asks of the host. Such a resource is listed only for clients that
   * declare views.
   */
  view?: ResourceView
  /** Returns the contents, one or several; undefined when there is nothing. */
  read (
    variables: Variables, context: RequestContext<P> & Services
  ): Promise<ReadContents | readonly ReadContents[] | undefined>
  /** The concrete resources of this template, for `resources/list`. */
  list? (
    context: RequestContext<P> & Services, cursor: string | undefined
  ): Promise<{ entries: ResourceEntry[], next?: string }>
  /** Suggestions for one variable, best first; at most 100 are sent. */
  complete? (
    variable: string, prefix: string, otherArguments: Variables, context: RequestContext<P> & Services
  ): Promise<string[]>
}
