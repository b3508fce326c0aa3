/** The port that notifies subscribed clients of changed resources and lists. */
import type { Principal } from '../lib/principal.js'

/** The lists of the protocol that can change while a server runs. */
export type ListKind = 'tools' | 'resources' | 'prompts'

/** A changed resource, under the URI that the subscriber used, or a changed list. */
export type ResourceChange = { kind: 'updated', uri: string } | { kind: 'list', list: ListKind }

/** Which changes a client asked for. */
export interface SubscriptionFilter {
  lists: ReadonlySet<ListKind>
  /** The URIs of the resources. Called again for each batch of changes, because subscriptions come and go. */
  uris (): Promise<Iterable<string>> | Iterable<string>
}

/** The changes of a server, in an order that all of its replicas agree on. */
export interface ChangeNotifier<P extends Principal = Principal> {
  /** The lists that can change on this server. */
  lists: ReadonlySet<ListKind>
  /** Announces a change, where this notifier takes those of its own server. */
  announce? (change: ResourceChange): void
  /** The current position in the change feed. Later changes come after it. */
  position (): Promise<string>
  /**
   * Yields the changes after a position that pass the filter and that the principal may see, in batches, each with
   * the position after it. Returns when the signal aborts, when the server closes, and when the credential was
   * revoked or lost access to what it could see.
   */
  follow (
    principal: P, filter: SubscriptionFilter, after: string, signal: AbortSignal
  ): AsyncIterable<{ changes: ResourceChange[], position: string }>
}

/** Returns the same changes, whose streams also end when `closing` aborts. */
export const endingWith = <P extends Principal>(
  changes: ChangeNotifier<P>, closing: AbortSignal
): ChangeNotifier<P> => ({
    lists: changes.lists,
    position: () => changes.position(),
    follow: (principal, filter, after, signal) =>
      changes.follow(principal, filter, after, AbortSignal.any([signal, closing]))
  })
