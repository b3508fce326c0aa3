/** Reads the text of an event stream that has ended (server-sent events). */
import { createParser } from 'eventsource-parser'

/** Returns the data of each event. The last event may lack its blank line. */
export const eventDataIn = (text: string): string[] => {
  const found: string[] = []
  const parser = createParser({ onEvent: ({ data }) => { found.push(data) } })
  // The parser skips a byte order mark only as three bytes; this text is decoded already.
  parser.feed(`${text.replace(/^\uFEFF/, '')}\n\n`)
  return found
}
