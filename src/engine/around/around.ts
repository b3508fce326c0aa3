/** The hook around every call and every entry of a list: it may refuse, hide, measure or change. */
import { Fault, Refusal } from '../../lib/errors.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Principal } from '../../lib/principal.js'
import type { RequestContext } from '../request-context.js'

/** A call, or an entry of a list that is about to be shown. */
export interface Operation<P extends Principal = Principal> {
  /** The JSON-RPC method, such as `tools/call`; for an entry that of the list, such as `tools/list`. */
  method: string
  /**
   * What is called or listed: the name of a tool or prompt, the URI of a resource, a template, or the id of a task.
   * Undefined for a call that names nothing, such as that of a list, or several things.
   */
  name: string | undefined
  principal: P
}

/**
 * Called for every call, and once for each entry of a list. What it throws refuses the call and hides the entry: a
 * `Fault` as it is, and a `Refusal` as one of the tool. It returns what `next` resolves with, the result or the entry,
 * or another one.
 *
 * The type is that of a method, so that a function for a server's own principal fits where any principal is allowed.
 */
export type Around<P extends Principal = Principal> = {
  around (operation: Operation<P>, next: () => Promise<JsonObject>): Promise<JsonObject>
}['around']

type Caller = Pick<RequestContext, 'principal' | 'requestId'>

/** Shows entries of a list through the hook: returns those that it lets through, as it leaves them. */
export type ShowEntries = <Entry extends object>(
  method: string, entries: readonly Entry[], nameOf: (entry: Entry) => string, context: Caller
) => Promise<readonly Entry[]>

/** Creates that function. `onUnexpectedError` receives what is neither a `Fault` nor a `Refusal`; it hides too. */
export const showEntriesThrough = (
  around: Around, onUnexpectedError: (error: unknown, where: { requestId: string, about: object }) => void
): ShowEntries =>
  async (method, entries, nameOf, { principal, requestId }) => {
    const shown = await Promise.all(entries.map(async (entry) => {
      try {
        return await around({ method, name: nameOf(entry), principal }, async () => entry as JsonObject) as typeof entry
      } catch (error) {
        if (!(error instanceof Fault) && !(error instanceof Refusal)) onUnexpectedError(error, { requestId, about: {} })
        return undefined
      }
    }))
    return shown.filter((entry) => entry !== undefined)
  }
