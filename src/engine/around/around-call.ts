/** Runs a call inside the server's hook. */
import { Refusal } from '../../lib/errors.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import type { Around } from './around.js'
import type { Params } from '../jsonrpc/message.js'
import { rejectRefusal } from '../methods/guards.js'
import { targetsOf, type MethodDefinition } from '../methods/index.js'
import type { MethodResult, ServerFeatures } from '../methods/method.js'
import type { HandlerGenerator, RequestContext } from '../request-context.js'
import { refused } from '../tools/tool.js'

/** The call starts when the hook calls `next`; one that ends before its result rejects `next`. */
export async function * aroundCall (
  around: Around, definition: MethodDefinition, params: Params, context: RequestContext, features: ServerFeatures
): HandlerGenerator<MethodResult> {
  const { principal } = context
  const targets = targetsOf(definition, params)
  const name = targets.length === 1 ? targets[0] : undefined
  const [started, ended] = [deferred<true>(), deferred<JsonObject>()]
  // A hook may throw at once.
  const outcome = (async () => await around({ method: definition.name, name, principal }, () => {
    started.resolve(true)
    return ended.promise
  }))()
  outcome.catch(() => {})
  let result: MethodResult | undefined
  try {
    if (await Promise.race([started.promise, outcome]) === true) {
      try {
        const work = definition.run(params, context, features)
        result = Symbol.asyncIterator in work ? yield * work : await work
        ended.resolve(result.result)
      } catch (error) {
        ended.reject(error)
      } finally {
        ended.reject(new Error('The call ended before its result.'))
      }
    }
    const returned = await outcome
    const { cache, hasRecordTexts = false } = result ?? {}
    return {
      result: returned,
      hasRecordTexts: hasRecordTexts || returned !== result?.result,
      // What a hook may change for each caller is cached for none.
      ...cache && { cache: { ttlMs: cache.ttlMs, scope: 'private' } }
    }
  } catch (error) {
    // A tool refuses by a result: 2025-11-25 server/tools#error-handling
    if (error instanceof Refusal && definition.name === 'tools/call') return { result: { ...refused(error.message) } }
    return rejectRefusal(error)
  }
}

/** A promise and what settles it; a rejection that is awaited nowhere is no error. */
const deferred = <Value>() => {
  let settle!: { resolve (value: Value): void, reject (error: unknown): void }
  const promise = new Promise<Value>((resolve, reject) => { settle = { resolve, reject } })
  promise.catch(() => {})
  return { promise, ...settle }
}
