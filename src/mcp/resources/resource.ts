/** The type of a resource, for the engine and for authors of resources. */
import type { RequestContext } from '../request-context.js'

export interface ResourceEntry {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  annotations?: { audience?: Array<'user' | 'assistant'>, priority?: number, lastModified?: string }
}

export interface ResourceContents {
  uri: string
  mimeType: string
  text?: string
  blob?: string
}

export type Variables = Record<string, string>

/** The record that a URI names, as far as access depends on it. */
export interface Subject {
  workspace?: string | undefined
  exploration?: string | undefined
  artifactType?: string | undefined
}

export interface Resource<Services = unknown> {
  /**
   * RFC 6570 level 1, such as `service://exploration/{explorationId}`; a resource without variables is listed by
   * itself.
   */
  template: string
  name: string
  title: string
  description: string
  mimeType: string
  /** How long a client may cache what `read` returned, in milliseconds. */
  ttlMs: number
  /**
   * The record that these variables name, so that access can be checked without a read. Undefined when only a read
   * can tell.
   */
  subject? (variables: Variables): Subject
  /** Returns the contents without their URI; undefined when there is nothing. */
  read (
    variables: Variables, context: RequestContext & Services
  ): Promise<Omit<ResourceContents, 'uri'> & { lastModified?: string } | undefined>
  /** The concrete resources of this template, for `resources/list`. */
  list? (
    context: RequestContext & Services, cursor: string | undefined
  ): Promise<{ entries: ResourceEntry[], next?: string }>
  /** Suggestions for one variable, best first; at most 100 are sent. */
  complete? (
    variable: string, prefix: string, otherArguments: Variables, context: RequestContext & Services
  ): Promise<string[]>
}
