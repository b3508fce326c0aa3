/** The port that notifies subscribed clients of changed resources and lists. */
import type { Principal } from '../lib/principal.js'

export type ListKind = 'tools' | 'resources' | 'prompts'

/** A changed resource, under the URI that the subscriber used, or a changed list. */
export type ResourceChange = { kind: 'updated', uri: string } | { kind: 'list', list: ListKind }

export interface SubscriptionFilter {
  /** The lists to watch. */
  lists: ReadonlySet<ListKind>
  /** The URIs of the resources. Called again for each batch of changes, because subscriptions come and go. */
  uris (): Promise<Iterable<string>> | Iterable<string>
}

export interface ChangeNotifier {
  /** The lists that can change on this server. */
  lists: ReadonlySet<ListKind>
  /** The current position in the change feed. Later changes come after it. */
  position (): Promise<string>
  /**
   * Yields the changes after a position that pass the filter and that the principal may see, in batches, each with
   * the position after it. Returns when the signal aborts, when the server closes, and when the credential was
   * revoked or lost access to a workspace.
   */
  follow (
    principal: Principal, filter: SubscriptionFilter, after: string, signal: AbortSignal
  ): AsyncIterable<{ changes: ResourceChange[], position: string }>
}
