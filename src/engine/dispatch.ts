/** Handles one message without a socket: finds its era and its method, and has it executed. */
import { classify } from './eras/classify.js'
import type { Era, HttpExchange } from './eras/era.js'
import { RequestExecution } from './execution.js'
import type { Instrumented } from './instrumentation.js'
import type { Message, Notification, Response } from './jsonrpc/message.js'
import { toFault, type ProtocolEngine } from './protocol-engine.js'
import { faultReplyFor, type EngineReply } from './reply.js'

/** Resolves with the reply to a message, a refusal included. */
export const dispatch = (
  engine: ProtocolEngine, message: Message, exchange: HttpExchange
): Promise<EngineReply> => {
  const era = engine.eras[classify(message, exchange.headerEra)]
  if (message.kind === 'response') return accept(engine, era, message, exchange, undefined)
  const definition = engine.methods.get(message.method)
  const instrumented = engine.instrument?.(message, definition, era.name, exchange)
  if (message.kind === 'notification') {
    const accepted = () => accept(engine, era, message, exchange, instrumented)
    return instrumented ? instrumented.run(accepted) : accepted()
  }
  const execution = new RequestExecution(engine, era, message, definition, exchange, instrumented)
  return instrumented ? instrumented.run(() => execution.handle()) : execution.handle()
}

const accept = async (
  engine: ProtocolEngine, era: Era, message: Notification | Response, exchange: HttpExchange,
  instrumented: Instrumented | undefined
): Promise<EngineReply> => {
  try {
    await era.accept(message, exchange)
    instrumented?.finish('ok')
    return { kind: 'accepted' }
  } catch (error) {
    const fault = toFault(engine, error, exchange)
    instrumented?.finish(fault.kind)
    // 2025-11-25 basic/transports#sending-messages-to-the-server: the refusal of a response has no id either
    return faultReplyFor(fault, era, undefined)
  }
}
