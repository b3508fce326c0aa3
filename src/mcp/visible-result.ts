/** Removes invisible characters from results whose texts come from records: a model would read what nobody sees. */
import { stripInvisibleIn } from '../lib/invisible.js'
import { resultResponse, type Id } from './jsonrpc/message.js'
import type { MethodResult } from './methods/method.js'

/**
 * Whether a text that `JSON.stringify` made may hold an invisible character, as it is or escaped. Says no to nothing
 * but plain ASCII, without a look at each character: it takes a tenth of the time that removing takes.
 */
export const mayHoldInvisible = (json: string): boolean =>
  Buffer.byteLength(json) !== json.length || json.includes('\\u00') || json.includes('\\b') || json.includes('\x7f')

/** Returns the result without them; the same object when there are none, or no texts of records. */
export const visibleResult = (result: MethodResult): MethodResult => {
  if (!result.hasRecordTexts) return result
  const visible = stripInvisibleIn(result.result)
  return visible === result.result ? result : { ...result, result: visible }
}

/**
 * Returns the JSON text of the response without them. Most results hold none, which their JSON text shows sooner than
 * their strings one by one.
 * @param framed the result as its era frames it
 */
export const visibleResponse = (id: Id, framed: Record<string, unknown>, { hasRecordTexts }: MethodResult): string => {
  const text = resultResponse(id, framed)
  if (!hasRecordTexts || !mayHoldInvisible(text)) return text
  const visible = stripInvisibleIn(framed)
  return visible === framed ? text : resultResponse(id, visible)
}
