/** The HTTP request of a message, as the eras see it: without Fastify. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../lib/errors.js'
import { onDisconnect } from '../../lib/http/end-after-request.js'
import type { Principal } from '../../lib/principal.js'
import { classifyHeaders } from '../eras/classify.js'
import type { CallSlot, Era, Headers, HttpExchange, ReplyMode } from '../eras/era.js'
import { requestInfo, type RequestInfo } from '../request-info.js'

export interface ExchangeOptions {
  replyMode: ReplyMode
  addressOf (request: FastifyRequest): string
}

export class FastifyExchange implements HttpExchange {
  readonly headers: Headers
  readonly headerEra: Era['name']
  readonly principal: Principal
  readonly requestId: string
  readonly remoteAddress: string
  readonly about: RequestInfo
  readonly reply: ReplyMode
  slot: CallSlot | undefined = undefined
  #listeners: Array<() => void> | undefined

  /** @throws {Fault} `unauthorized` without a principal */
  constructor (
    private readonly request: FastifyRequest, private readonly fastifyReply: FastifyReply,
    private readonly options: ExchangeOptions
  ) {
    this.headers = request.headers
    this.headerEra = headerEra(request)
    this.principal = requirePrincipal(request)
    this.requestId = request.id
    this.remoteAddress = options.addressOf(request)
    this.about = requestInfo(request)
    this.reply = options.replyMode
  }

  /** Any number of listeners, such as those of the messages of a batch, share one listener of the connection. */
  onDisconnect (listener: () => void): void {
    const { raw } = this.fastifyReply
    if (raw.destroyed) {
      if (!raw.writableFinished) listener()
    } else if (this.#listeners) {
      this.#listeners.push(listener)
    } else {
      const all = this.#listeners = [listener]
      onDisconnect(raw, () => { for (const call of all) call() })
    }
  }

  forBatch (): FastifyExchange {
    return new FastifyExchange(this.request, this.fastifyReply, { ...this.options, replyMode: 'json' })
  }
}

export const headerEra = (request: FastifyRequest): Era['name'] =>
  (requestInfo(request).era ??= classifyHeaders(request.headers))

/** @throws {Fault} `unauthorized` with the reason and the hint when authentication found no principal */
export const requirePrincipal = ({ about }: FastifyRequest): Principal => {
  const caller = about?.caller ?? { reason: 'missing', hint: 'The request was not authenticated.' }
  if ('principal' in caller) return caller.principal
  throw new Fault('unauthorized', 'This server needs a valid credential.', { reason: caller.reason, hint: caller.hint })
}
