/** Reads server-sent events: those of a stream as they arrive, and those of a text. */
import { createParser } from 'eventsource-parser'

/** An event; a `retry` field alone is one without data. */
export interface ReadEvent { id?: string | undefined, event?: string | undefined, retry?: number, data: string }

export async function * eventsIn (
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
): AsyncGenerator<ReadEvent, void, void> {
  const ready: ReadEvent[] = []
  const parser = createParser({
    onEvent: (event) => { ready.push(event) },
    onRetry: (retry) => { ready.push({ data: '', retry }) }
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    parser.feed(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    yield * ready.splice(0)
  }
  // The parser waits for what follows a CR; at the end nothing does.
  parser.feed('\n')
  yield * ready.splice(0)
}

/** Returns the data of each event. The last event may lack its blank line. */
export const eventDataIn = (text: string): string[] => {
  const found: string[] = []
  const parser = createParser({ onEvent: ({ data }) => { found.push(data) } })
  // The parser skips a byte order mark only as three bytes; this text is decoded already.
  parser.feed(`${text.replace(/^\uFEFF/, '')}\n\n`)
  return found
}
