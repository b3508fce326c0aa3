/** Runs a call inside the server's hook. */
import { Refusal } from '../../lib/errors.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Around } from './around.js'
import type { Params } from '../jsonrpc/message.js'
import { rejectRefusal } from '../methods/guards.js'
import { targetsOf, type MethodDefinition } from '../methods/index.js'
import type { MethodResult, ServerFeatures } from '../methods/method.js'
import type { HandlerGenerator, HandlerOutput, RequestContext } from '../request-context.js'
import { refused } from '../tools/tool.js'

/** The call starts when the hook calls `next`; one that ends before its result rejects `next`. */
export async function * aroundCall (
  around: Around, definition: MethodDefinition, params: Params, context: RequestContext, features: ServerFeatures
): HandlerGenerator<MethodResult> {
  const { principal } = context
  const targets = targetsOf(definition, params)
  const name = targets.length === 1 ? targets[0] : undefined
  const call = new PendingCall()
  // A hook may throw at once.
  const outcome = (async () => await around({ method: definition.name, name, principal }, () => call.next()))()
  outcome.catch(() => {})
  try {
    await Promise.race([call.started, outcome])
    if (call.isStarted) yield * call.run(() => definition.run(params, context, features))
    return call.resultAs(await outcome)
  } catch (error) {
    // A tool refuses by a result: 2025-11-25 server/tools#error-handling
    if (error instanceof Refusal && definition.name === 'tools/call') return { result: { ...refused(error.message) } }
    return rejectRefusal(error)
  }
}

/** The call as the hook and the generator around it share it. */
class PendingCall {
  readonly started: Promise<void>
  isStarted = false
  readonly #ended: Promise<JsonObject>
  #result: MethodResult | undefined
  #start!: () => void
  #end!: (result: JsonObject) => void
  #fail!: (error: unknown) => void

  constructor () {
    this.started = new Promise((resolve) => { this.#start = resolve })
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
    })
    // The hook need not wait for it.
    this.#ended.catch(() => {})
  }

  next (): Promise<JsonObject> {
    this.isStarted = true
    this.#start()
    return this.#ended
  }

  /** Runs the call to its end, whatever that is: the hook learns of it. */
  async * run (start: () => HandlerOutput<MethodResult>): HandlerGenerator<void> {
    try {
      const work = start()
      this.#result = Symbol.asyncIterator in work ? yield * work : await work
      this.#end(this.#result.result)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#fail(new Error('The call ended before its result.'))
    }
  }

  /** The result with what the hook returned in it. What a hook may change for each caller is cached for none. */
  resultAs (returned: JsonObject): MethodResult {
    const { cache, hasRecordTexts = false } = this.#result ?? {}
    return {
      result: returned,
      hasRecordTexts: hasRecordTexts || returned !== this.#result?.result,
      ...cache && { cache: { ttlMs: cache.ttlMs, scope: 'private' } }
    }
  }
}
