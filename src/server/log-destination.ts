/** Where the log goes, so that no line of it holds a credential or steers the terminal that shows it. */
import type { DestinationStream } from 'pino'
import { escapeInvisible } from '../lib/invisible.js'
import { redactText } from '../lib/redact/redact.js'

/** Each line is redacted, and characters that nobody sees become escapes; a line of JSON stays one. */
export const createSafeDestination = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(`${escapeInvisible(redactText(line.replace(/\n$/, '')))}\n`)
})
