/** An exchange in the form that the checks need: its messages parsed, its replies collected. */
import { createHash } from 'node:crypto'
import { classify, classifyHeaders } from '../eras/classify.js'
import { headerOf, type EraName } from '../eras/era.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { parseMessage, type ParsedMessage } from '../jsonrpc/parse.js'
import type { WireExchange } from '../traffic/wire-exchange.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'

/** An exchange with its messages parsed and its era decided. */
export interface ParsedExchange extends WireExchange {
  era: EraName
  /** When it ended, in milliseconds since the epoch. */
  end: number
  /** The messages of the body; undefined when the body was not read or is not JSON. */
  messages: ReadonlyArray<{ parsed: ParsedMessage, raw: unknown }> | undefined
  isBatch: boolean
  /** The JSON-RPC messages of the reply, in their order. */
  replies: readonly JsonObject[]
  header (name: string): string | undefined
}

/** Parses the bodies of an exchange and decides its era. */
export const parseExchange = (exchange: WireExchange): ParsedExchange => {
  const body = exchange.body ? parseJsonOrUndefined(exchange.body) : undefined
  const isBatch = Array.isArray(body)
  const messages = body === undefined
    ? undefined
    : [body].flat().map((raw: unknown) => ({
        raw, parsed: parseMessage(raw)
      }))
  const first = messages?.[0]?.parsed
  return {
    ...exchange,
    era: first && first.kind !== 'fault' && !isBatch
      ? classify(first, classifyHeaders(exchange.headers))
      : classifyHeaders(exchange.headers),
    end: exchange.at + exchange.durationMs,
    messages,
    isBatch,
    replies: [...exchange.reply === undefined ? [] : [exchange.reply], ...exchange.events ?? []]
      .flatMap(parseJsonOrUndefined).filter(isObject),
    header: (name) => headerOf(exchange.headers, name)
  }
}

export const methodNameOf = ({ method, messages }: ParsedExchange): string => {
  const parsed = messages?.[0]?.parsed
  return parsed && 'method' in parsed ? parsed.method : method
}

/** Returns the result or error of a request: of the reply message with its id and without a method. */
export const replyTo = ({ replies }: ParsedExchange, id: unknown): { result?: JsonObject, error?: JsonObject } => {
  const { result, error }: JsonObject = replies.find((message) => message['id'] === id && !('method' in message)) ?? {}
  return { ...(isObject(result) && { result }), ...(isObject(error) && { error }) }
}

/** The SHA-256 of a value. The linter stores digests instead of ids and tokens, and only compares them. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value) ?? '').digest('base64url')
