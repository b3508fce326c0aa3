/** A parser of event streams. */
import type { Has } from './defects.js'

export interface StreamEvent { id: string | undefined, retry: number | undefined, data: string }

/** All that the strict parser knows: an event a piece, of one line of data. */
const STRICT = /^(?:(?:(?:id|event): .+\n)*data: ?(?:\{.*\})?\n\n)+$/

export async function * parseEvents (chunks: AsyncIterable<Buffer>, has: Has): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let start = true
  for await (const chunk of chunks) {
    if (has('strict') && !STRICT.test(String(chunk))) throw new Error(`cannot read ${String(chunk).slice(0, 100)}`)
    text += decoder.decode(chunk, { stream: true })
    if (start) text = text.replace(/^\uFEFF/, '')
    start = false
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event) yield event
    }
  }
}

const parseBlock = (block: string): StreamEvent | undefined => {
  const data: string[] = []
  let id: string | undefined
  let retry: number | undefined
  let name = 'message'
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field = '', value = ''] = /^([^:]+): ?(.*)$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
    if (field === 'event') name = value
    if (field === 'retry') retry = Number(value)
  }
  if (data.length === 0) return undefined
  return name === 'message' ? { id, retry, data: data.join('\n') } : undefined
}
