/** A parser of event streams, with defects. */
import type { Has } from './defects.js'

export interface StreamEvent { id: string | undefined, retry: number | undefined, data: string }

export async function * parseEvents (chunks: AsyncIterable<Buffer>, has: Has): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let start = true
  for await (const chunk of chunks) {
    text += has('strictChunks') ? new TextDecoder('utf-8', { fatal: true }).decode(chunk) : decoder.decode(chunk, { stream: true })
    if (start && !has('keepsMark')) text = text.replace(/^\uFEFF/, '')
    start = false
    const blocks = text.split(has('onlyLf') ? /\r?\n\r?\n/ : has('blankLineIsLf') ? /\n\n/ : /\r\n\r\n|\n\n|\r\r/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block, has)
      if (event) yield event
    }
  }
}

const parseBlock = (block: string, has: Has): StreamEvent | undefined => {
  const data: string[] = []
  let id: string | undefined
  let retry: number | undefined
  let name = 'message'
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith(':') && has('commentsAreErrors')) throw new Error(`a line without a field: ${line}`)
    const [, field = '', value = ''] = /^([^:]+): ?(.*)$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
    if (field === 'event') name = value
    if (field === 'retry') retry = Number(value)
  }
  if (data.length === 0) return undefined
  const text = has('firstDataLine') ? data[0] ?? '' : data.join('\n')
  return name !== 'message' && !has('everyEvent') ? undefined : { id, retry, data: text }
}
