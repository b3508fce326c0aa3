/** The log's destination: no line holds a credential or control characters for the terminal that shows it. */
import type { DestinationStream } from 'pino'
import { escapeInvisible } from '../lib/invisible.js'
import { redactText } from '../lib/redact/redact.js'

/** Redacts each line and escapes invisible characters. A line of JSON stays one line of JSON. */
export const createSafeDestination = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(`${escapeInvisible(redactText(line.replace(/\n$/, '')))}\n`)
})
