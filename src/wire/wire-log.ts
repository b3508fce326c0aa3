/** A file of all exchanges, one JSON object a line, each with the rule that decided it; bounded and rotated. */
import { basename, dirname } from 'node:path'
import { createStream } from 'rotating-file-stream'
import { isObject, parseObject } from '../rpc/parse.js'
import type { Onlooker, WireExchange } from './exchange.js'
import { redactHeaders, redactText } from './redact.js'

export interface WireLog {
  write: Onlooker
  close (): Promise<void>
}

export interface WireLogOptions {
  /** When a file is full, in bytes; `.1` to `.4` hold what came before. */
  fileBytes?: number
  failed (error: unknown): void
}

const FILES = 4
/** Of each body or message, in characters. */
const SHOWN = 16_384
/** What may wait to be written, in bytes: more is left out, and counted. */
const MOST_WAITING = 16 * 1024 * 1024

export const wireLog = (file: string, { fileBytes = 64 * 1024 * 1024, failed }: WireLogOptions): WireLog => {
  const stream = createStream(basename(file), { path: dirname(file), size: `${fileBytes}B`, rotate: FILES, mode: 0o600 })
  stream.on('error', failed)
  stream.on('warning', failed)
  let leftOut = 0
  return {
    write (exchange) {
      if (stream.writableLength > MOST_WAITING) {
        leftOut++
        return
      }
      stream.write(`${JSON.stringify({ ...lineOf(exchange), ...(leftOut > 0 && { left_out_before: leftOut }) })}\n`)
      leftOut = 0
    },
    close: () => new Promise((resolve) => { stream.end(() => resolve()) })
  }
}

const lineOf = ({ at, durationMs, requestId, credential, headers, body, replyHeaders, reply, events, ...rest }: WireExchange) => ({
  at: new Date(at).toISOString(),
  duration_ms: Math.round(durationMs * 1000) / 1000,
  request_id: requestId,
  credential_id: credential,
  ...rest,
  url: redactText(rest.url),
  rule: ruleOf(reply ?? events?.at(-1)),
  headers: redactHeaders(headers),
  body: shown(body),
  reply_headers: redactHeaders(replyHeaders),
  reply: shown(reply),
  events: events?.map((event) => shown(event))
})

/** What decided: `served`, or the code and the clause of the refusal. */
const ruleOf = (reply: string | undefined) => {
  const error = reply === undefined ? undefined : parseObject(reply)?.['error']
  if (!isObject(error)) return 'served'
  const { code, data } = error
  return { code, spec: isObject(data) ? data['spec'] : undefined }
}

/** JSON as JSON where it is whole, so that tools can look into it; else as text. */
const shown = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  const safe = redactText(text)
  if (safe.length > SHOWN) return `${safe.slice(0, SHOWN)}… (${safe.length - SHOWN} more characters)`
  try {
    return JSON.parse(safe)
  } catch {
    return safe
  }
}
