/** What a test says to its client. */
import type { JsonObject } from '../../lib/json/json-object.js'
import type { InputRequest } from '../request-context.js'
import type { Revision } from '../revisions.js'

/** How a test client connects. */
export interface TestClientOptions {
  /** The revision that the client speaks; 2026-07-28 by default. */
  revision?: Revision
  /** Headers of every request, such as `authorization`. */
  headers?: Readonly<Record<string, string>>
  /** The path of the endpoint; `/mcp` by default. */
  path?: string
  /**
   * Answers what a server asks while it works: a form, the model, roots. Returns the result, such as
   * `{ action: 'accept', content: {} }`. With it the client declares that it can be asked.
   */
  answer?: (request: InputRequest) => JsonObject | Promise<JsonObject>
  /** Further capabilities of the client, such as those of extensions. */
  capabilities?: JsonObject
}

/** A notification of the server. */
export interface TestNotification {
  method: string
  params: JsonObject
}

/** What a test wants of one request beyond its result. */
export interface TestRequestOptions {
  /** Called with each notification of the request, such as progress, when it arrives. */
  onNotification?: (notification: TestNotification) => void
  /** Cancels the request, which then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** What to listen to, in the words of `subscriptions/listen`. */
export interface TestSubscription {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  /** URIs of resources. */
  resourceSubscriptions?: readonly string[]
}
