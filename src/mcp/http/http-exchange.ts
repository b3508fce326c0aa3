/** The HTTP request of a message, as the eras see it: without Fastify. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpExchange, ReplyMode } from '../eras/era.js'
import { requestInfo } from '../request-info.js'
import { headerEra } from './header-era.js'
import { requirePrincipal } from './require-principal.js'

export interface ExchangeOptions {
  replyMode: ReplyMode
  /** Returns the client's address for the audit log. */
  addressOf (request: FastifyRequest): string
}

/**
 * Creates the exchange of an authenticated request.
 * @throws {Fault} `unauthorized` without a principal
 */
export const createExchange = (
  request: FastifyRequest, reply: FastifyReply, { replyMode, addressOf }: ExchangeOptions
): HttpExchange => ({
  headers: request.headers,
  headerEra: headerEra(request),
  principal: requirePrincipal(request),
  requestId: request.id,
  remoteAddress: addressOf(request),
  about: requestInfo(request),
  reply: replyMode,
  onDisconnect: disconnectListeners(reply)
})

/** Any number of listeners, such as those of the messages of a batch, share one listener of the connection. */
const disconnectListeners = ({ raw }: FastifyReply): HttpExchange['onDisconnect'] => {
  let listeners: Array<() => void> | undefined
  return (listener) => {
    if (raw.destroyed) {
      if (!raw.writableFinished) listener()
      return
    }
    if (listeners) {
      listeners.push(listener)
      return
    }
    const all = listeners = [listener]
    raw.once('close', () => { if (!raw.writableFinished) for (const call of all) call() })
  }
}
