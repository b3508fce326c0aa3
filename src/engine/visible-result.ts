/** Removes invisible characters from results whose texts come from records: a model would read what no one sees. */
import { hasUnusual, stripInvisibleIn } from '../lib/text/invisible.js'
import { resultResponse, type Id } from './jsonrpc/message.js'
import type { MethodResult } from './methods/method.js'

/** Whether JSON may hold an invisible character, as it is or escaped. For plain ASCII it looks at no character. */
export const mayHoldInvisible = (json: string): boolean =>
  (Buffer.byteLength(json) !== json.length && hasUnusual(json)) ||
  json.includes('\\u00') || json.includes('\\b') || json.includes('\x7f')

/** Returns the result without them; the same object when there are none, or no texts of records. */
export const visibleResult = (result: MethodResult): MethodResult => {
  if (!result.hasRecordTexts) return result
  const visible = stripInvisibleIn(result.result)
  return visible === result.result ? result : { ...result, result: visible }
}

export interface FramedResult extends Pick<MethodResult, 'hasRecordTexts'> { framed: Record<string, unknown> }

/** The response without them. Most results hold none, which their JSON shows sooner than their strings one by one. */
export const visibleResponse = (id: Id, { framed, hasRecordTexts }: FramedResult): string => {
  const text = resultResponse(id, framed)
  if (!hasRecordTexts || !mayHoldInvisible(text)) return text
  const visible = stripInvisibleIn(framed)
  return visible === framed ? text : resultResponse(id, visible)
}
