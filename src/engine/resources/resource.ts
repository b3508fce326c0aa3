/** The type of a resource, for the engine and for authors of resources. */
import type { Principal } from '../../lib/principal.js'
import type { RequestContext } from '../request-context.js'
import type { ResourceView } from '../views/view.js'

/** A resource as `resources/list` shows it. */
export interface ResourceEntry {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  annotations?: { audience?: Array<'user' | 'assistant'>, priority?: number, lastModified?: string }
  /** Metadata of the protocol or of an extension. */
  _meta?: Readonly<Record<string, unknown>>
}

/** What a resource holds: `text`, or `blob` in base64. */
export interface ResourceContents {
  uri: string
  mimeType: string
  text?: string
  blob?: string
}

/** The values of a URI template's variables, or of the arguments that were chosen so far. */
export type Variables = Record<string, string>

/** The record that a URI names, as far as access depends on it. */
export interface Subject {
  workspace?: string | undefined
  exploration?: string | undefined
  artifactType?: string | undefined
}

/**
 * Resolves, for each subject, with whether it exists and the caller may see it. The type is that of a method, so that a
 * function for a server's own principal fits where any principal is allowed.
 */
export type LocateSubjects<Services = unknown, P extends Principal = Principal> = {
  locate (subjects: readonly Subject[], context: RequestContext<P> & Services): Promise<boolean[]>
}['locate']

/** A resource, or all resources whose URIs match a template. `Services` and `P` are what the server passes to all. */
export interface Resource<Services = unknown, P extends Principal = Principal> {
  /**
   * RFC 6570 level 1, such as `service://exploration/{explorationId}`; a resource without variables is listed by
   * itself.
   */
  template: string
  name: string
  title?: string
  description?: string
  mimeType: string
  /** How long a client may cache what `read` returned, in milliseconds. */
  ttlMs: number
  /**
   * For the HTML document of a tool's view: what it asks of the host. Such a resource is listed only for clients that
   * declare views.
   */
  view?: ResourceView
  /**
   * The record that these variables name, so that access can be checked without a read. Undefined when only a read
   * can tell.
   */
  subject? (variables: Variables): Subject
  /** Returns the contents without their URI; undefined when there is nothing. */
  read (
    variables: Variables, context: RequestContext<P> & Services
  ): Promise<Omit<ResourceContents, 'uri'> & { lastModified?: string } | undefined>
  /** The concrete resources of this template, for `resources/list`. */
  list? (
    context: RequestContext<P> & Services, cursor: string | undefined
  ): Promise<{ entries: ResourceEntry[], next?: string }>
  /** Suggestions for one variable, best first; at most 100 are sent. */
  complete? (
    variable: string, prefix: string, otherArguments: Variables, context: RequestContext<P> & Services
  ): Promise<string[]>
}
