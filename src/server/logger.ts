/** The server's log: lines of JSON on standard error. It is the first thing that a server constructs. */
import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'
import type { Config } from '../config/config.js'
import { escapeInvisible } from '../lib/text/invisible.js'
import { redactText } from '../lib/redact/redact.js'

const REDACTED = ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]']

/** Creates the log. No line holds a credential, or control characters for the terminal that shows it. */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>, destination: DestinationStream = pino.destination(2)
): FastifyBaseLogger =>
  pino({ level: logLevel, base: null, redact: REDACTED }, createSafeDestination(destination))

const createSafeDestination = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(`${escapeInvisible(redactText(line.replace(/\n$/, '')))}\n`)
})
