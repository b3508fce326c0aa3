/** What keeps `process.nextTick` quick, which a request calls several times. */
import { executionAsyncResource } from 'node:async_hooks'

let heldObject: object | undefined

/**
 * Keeps `process.nextTick` quick for the life of the process. To be called when a server is made; only the first call
 * has an effect.
 *
 * Node makes an object for each tick, by a literal with computed keys. V8 defines such keys quickly as long as objects
 * of that literal have the hidden class that it has seen first. It refers to that class weakly: a full garbage
 * collection while no tick is due frees it, and each tick takes three times as long from then on. One object that is
 * held keeps the class.
 */
export const keepNextTickQuick = (): void => {
  process.nextTick(() => { heldObject ??= executionAsyncResource() })
}
