/** Checks what a client says it can read: 2026-07-28 basic/transports/streamable-http#sending-messages, point 2. */
import { Fault } from '../../lib/errors.js'

/** `strict`: a POST accepts both JSON and event streams by name. `negotiated`: it accepts JSON, or says nothing. */
export type AcceptRule = 'strict' | 'negotiated'

const BOTH = ['application/json', 'text/event-stream'] as const

/** What the SDKs of the specification send. */
const USUAL = BOTH.join(', ')

/** Checks the Accept header of a POST. @throws {Fault} `not_acceptable` */
export const requireAccept = (accept: string | undefined, rule: AcceptRule): void => {
  if (accept === USUAL) return
  const ranges = rangesOf(accept)
  const suffices = rule === 'strict'
    ? BOTH.every((type) => ranges.has(type))
    : accept === undefined || ['*/*', 'application/*', ...BOTH].some((range) => ranges.has(range))
  if (!suffices) {
    throw new Fault(
      'not_acceptable', 'Send the header "Accept: application/json, text/event-stream": a reply may be either.'
    )
  }
}

/** Checks that of a GET: 2025-11-25 basic/transports#listening-for-messages-from-the-server. */
export const requireEventStream = (accept: string | undefined, rule: AcceptRule): void => {
  const ranges = rangesOf(accept)
  if (ranges.has('text/event-stream')) return
  if (rule === 'negotiated' && (accept === undefined || ranges.has('*/*') || ranges.has('text/*'))) return
  throw new Fault('not_acceptable', 'Send the header "Accept: text/event-stream": the reply is a stream of events.')
}

const rangesOf = (accept = ''): ReadonlySet<string> =>
  new Set(accept.split(',').filter(isWanted).map((range) => range.replace(/;.*$/, '').trim().toLowerCase()))

/** `q=0` means "not this one": RFC 9110 section 12.4.2. */
const isWanted = (range: string): boolean => !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i.test(range)
