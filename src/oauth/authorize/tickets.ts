/**
 * Tickets carry what was checked from the authorization endpoint over the consent page to the decision. They are signed
 * and belong to one session, so that nothing is stored before someone allows something.
 */
import type { ClientKind } from '../../access/oauth/oauth-clients.js'
import { Refusal } from '../../lib/errors.js'
import { parseBoundedJson } from '../../lib/json/json-depth.js'
import { createTextSigner } from '../../lib/text/signed-text.js'

const LIFETIME_MS = 600_000

/** A request that may be put to the person. */
export interface ConsentTicket {
  /** The query of the authorization request, as it came. */
  query: string
  client: { id: string, kind: ClientKind, name: string, host: string | null, uri: string | null }
  redirectUri: string
  challenge: string
  resource: string
  refreshable: boolean
  /** Whether the client asks for the scope to write. Absent in tickets of the version before. */
  writes?: boolean
}

/** A request that may not. */
export interface ErrorTicket {
  code: string
  description: string
  /** The way back to the client with the error; null where the request names no address of the client. */
  redirectTo: string | null
}

interface TicketPayload<Content> { session: string, until: number, content: Content }

/** Creates tickets of one purpose. Signs with the first secret, accepts all. */
export const createTickets = <Content>(
  purpose: 'consent' | 'consent error', secrets: readonly string[], now: () => number = Date.now
) => {
  const signer = createTextSigner(`oauth ${purpose}`, secrets)
  return {
    seal (session: string, content: Content): string {
      const payload: TicketPayload<Content> = { session, until: now() + LIFETIME_MS, content }
      return signer.sign(JSON.stringify(payload))
    },

    /** @throws {Refusal} for a ticket of another session, one that is too old, or none */
    open (session: string, ticket: string): Content {
      const text = signer.open(ticket)
      // What this server has signed has the form that it was given.
      const payload = text === undefined ? undefined : parseBoundedJson(text) as TicketPayload<Content>
      if (payload?.session === session && payload.until > now()) return payload.content
      throw new Refusal('This page is older than ten minutes, or someone else is signed in by now. ' +
        'Go back to the application and connect it again.')
    }
  }
}
