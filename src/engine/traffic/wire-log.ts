/** Writes exchanges to a bounded, rotated file: a JSON object per line, with the rule that decided it. */
import { basename, dirname } from 'node:path'
import { createStream } from 'rotating-file-stream'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import { isObject, parseObject } from '../../lib/json/json-object.js'
import { escapeInvisible } from '../../lib/text/invisible.js'
import type { WireExchange } from './wire-exchange.js'
import { redactText } from '../../lib/redact/redact.js'
import { redactHeaders, redactUrl } from '../../lib/redact/redact-headers.js'
import { redactBody, redactJson } from './redact-json.js'
import { SECRET_MEMBER } from '../../lib/redact/secret-names.js'

const FILES = 4
/** The most characters that are written of each body or message. */
const SHOWN = 16_384
const MAX_PARSED_LENGTH = 4 * 1024 * 1024
/** The most bytes that wait to be written. Further exchanges are dropped and counted. */
const MAX_WAITING = 16 * 1024 * 1024

/**
 * Opens the file, readable by its owner only. `write` never throws; `failed` gets the errors of the file system.
 * @param fileBytes the size at which a file is rotated; `.1` to `.4` are the older files
 */
export const wireLog = (file: string, failed: (error: unknown) => void, fileBytes = 64 * 1024 * 1024) => {
  const stream = createStream(basename(file), {
    path: dirname(file), size: `${fileBytes}B`, rotate: FILES, mode: 0o600
  })
  stream.on('error', failed)
  stream.on('warning', failed)
  let leftOut = 0
  return {
    write (exchange: WireExchange): void {
      if (stream.writableLength > MAX_WAITING) {
        leftOut++
        return
      }
      const line = { ...lineOf(exchange), ...(leftOut > 0 && { left_out_before: leftOut }) }
      stream.write(`${escapeInvisible(JSON.stringify(line))}\n`)
      leftOut = 0
    },
    close: (): Promise<void> => new Promise((resolve) => { stream.end(() => resolve()) })
  }
}

const lineOf = (
  { at, durationMs, requestId, credential, headers, body, replyHeaders, reply, events, ...rest }: WireExchange
) => ({
  at: new Date(at).toISOString(),
  duration_ms: Math.round(durationMs * 1000) / 1000,
  request_id: requestId,
  credential_id: credential,
  ...rest,
  url: redactUrl(rest.url),
  rule: ruleOf(reply ?? events?.at(-1)),
  headers: redactHeaders(headers),
  body: toLogValue(body, redactBody),
  reply_headers: redactHeaders(replyHeaders),
  reply: toLogValue(reply, redactJson),
  events: events?.map((event) => toLogValue(event, redactJson))
})

/** What decided the request: `served`, or the code and the clause of the refusal. */
const ruleOf = (reply: string | undefined) => {
  const error = reply === undefined ? undefined : parseObject(reply)?.['error']
  if (!isObject(error)) return 'served'
  const { code, data } = error
  return { code, spec: isObject(data) ? data['spec'] : undefined }
}

/** Returns JSON as a value, so that tools can search it, and as text when it is too long or not JSON. */
const toLogValue = (text: string | undefined, redact: (value: unknown) => unknown): unknown => {
  if (text === undefined) return undefined
  const value = text.length > MAX_PARSED_LENGTH ? undefined : parseJsonOrUndefined(text)
  if (value === undefined) return cut(withoutSecretFields(redactText(text.slice(0, MAX_PARSED_LENGTH))), text.length)
  const safe = redact(value)
  const json = JSON.stringify(safe)
  return json.length > SHOWN ? cut(json, json.length) : safe
}

/** Shortens a text. `length` is the length of the whole, in characters. */
const cut = (text: string, length: number): string =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${length - SHOWN} more characters)` : text

/** Text that is not JSON is cut where something looks like the name of a secret field, however it is escaped. */
const withoutSecretFields = (text: string): string => {
  const at = text.search(SECRET_FIELD)
  return at < 0 ? text : `${text.slice(0, at)}…[redacted]`
}

const SECRET_FIELD = new RegExp(`inputResponses|requestState|content"|\\\\u00|${SECRET_MEMBER.source}`, 'i')
