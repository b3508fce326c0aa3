/** The port that notifies subscribed clients of changed resources and lists. */
import type { Principal } from '../lib/principal.js'

export type ListKind = 'tools' | 'resources' | 'prompts'

/** The contents of a resource, under the URI that the listener named it by, or the entries of a list. */
export type ResourceChange = { kind: 'updated', uri: string } | { kind: 'list', list: ListKind }

export interface SubscriptionFilter {
  lists: ReadonlySet<ListKind>
  /** URIs of resources; asked again for each batch of changes, as they may come and go. */
  uris (): Promise<Iterable<string>> | Iterable<string>
}

export interface ChangeNotifier {
  /** The lists that may change at all. */
  lists: ReadonlySet<ListKind>
  /** Where the feed stands: what changes from now on comes after it. */
  position (): Promise<string>
  /**
   * What changes after a position that the principal wants and may see, in batches, each with the position after it.
   * Returns when the signal fires, when the server closes, and when the principal's credential no longer works or sees less than before.
   */
  follow (
    principal: Principal, filter: SubscriptionFilter, after: string, signal: AbortSignal
  ): AsyncIterable<{ changes: ResourceChange[], position: string }>
}
