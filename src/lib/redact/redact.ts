/** Removes credentials from texts that are logged, stored or shown, also where they are escaped or encoded. */

export const REDACTED = '[redacted]'

/** The prefixes of secrets of this server: credentials, tokens of sign-in links and invitations, and those of OAuth. */
const PREFIXES = ['key', 'pat', 'link', 'invite', 'at', 'rt', 'code', 'secret']
/** A secret of this server. Its prefix stays readable. */
const CREDENTIAL = new RegExp(`svc_(${PREFIXES.join('|')})_[A-Za-z0-9]+`, 'gi')
/** A signed token, such as a session id: JSON in base64url, a full stop, a signature. */
const SIGNED = /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]{20,})+/g
const STATE = /("requestState"\s*:\s*")(?:[^"\\]|\\.)*(")/g

/** Replaces secrets by marks: in plain text, JSON escapes, percent escapes and base64. */
export const redactText = (text: string): string =>
  withoutBase64(withoutPlain(text)).replace(STATE, `$1${REDACTED}$2`)

const withoutPlain = (text: string): string => {
  const plain = decoded(text)
  if (plain.text === text) return text.replace(CREDENTIAL, hidden).replace(SIGNED, REDACTED)
  const found = [...plain.text.matchAll(CREDENTIAL), ...plain.text.matchAll(SIGNED)]
    .sort((one, other) => one.index - other.index)
  let output = ''
  let at = 0
  for (const match of found) {
    const start = plain.start(match.index)
    if (start < at) continue
    output += text.slice(at, start) + (match[1] === undefined ? REDACTED : hidden(match[0], match[1]))
    at = plain.start(match.index + match[0].length)
  }
  return output + text.slice(at)
}

const hidden = (_all: string, kind: string): string => `svc_${kind.toLowerCase()}_${REDACTED}`

// Backslashes are doubled each time that JSON is written into JSON.
const ESCAPE = /%([0-9a-f]{2})|(?<!\\)\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi
const MAX_ROUNDS = 3

interface Decoded {
  text: string
  /** Maps an index of the decoded text to the index of the original. */
  start (at: number): number
}

/** Decodes the escapes, also nested ones. Decodes byte by byte, which is enough because credentials are ASCII. */
const decoded = (original: string): Decoded => {
  let result: Decoded = { text: original, start: (at) => at }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = decodedOnce(result)
    if (next === undefined) break
    result = next
  }
  return result
}

const decodedOnce = ({ text, start }: Decoded): Decoded | undefined => {
  const escapes = text.includes('%') || text.includes('\\') ? [...text.matchAll(ESCAPE)] : []
  if (escapes.length === 0) return undefined
  const places = new Uint32Array(text.length + 1)
  const parts: string[] = []
  let length = 0
  let at = 0
  const copy = (end: number): void => {
    parts.push(text.slice(at, end))
    while (at < end) places[length++] = at++
  }
  for (const match of escapes) {
    copy(match.index)
    parts.push(String.fromCharCode(parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16)))
    places[length++] = at
    at += match[0].length
  }
  copy(text.length)
  places[length] = text.length
  return { text: parts.join(''), start: (place) => start(places[place] ?? text.length) }
}

/** The three base64 forms of a text, one for each offset at which it can start in a group of three bytes. */
export const inBase64 = (text: string): string[] => [0, 1, 2].map((offset) =>
  Buffer.from('\0'.repeat(offset) + text).toString('base64')
    .slice(Math.ceil(offset * 8 / 6), Math.floor((offset + text.length) * 8 / 6)))

const ENCODED = new RegExp(PREFIXES.map((prefix) => `svc_${prefix}_`).flatMap(inBase64).join('|'), 'g')
const ALPHABET = /[A-Za-z0-9+/_=-]/

/** Replaces each run of base64 characters that contains the start of a credential. */
const withoutBase64 = (text: string): string => {
  let output = ''
  let at = 0
  ENCODED.lastIndex = 0
  for (let match = ENCODED.exec(text); match; match = ENCODED.exec(text)) {
    let start = match.index
    while (start > at && ALPHABET.test(text[start - 1] ?? '')) start--
    // The first letters may belong to a JSON escape: remove its backslashes as well.
    while (start > at && text[start - 1] === '\\') start--
    let end = ENCODED.lastIndex
    while (end < text.length && ALPHABET.test(text[end] ?? '')) end++
    output += text.slice(at, start) + REDACTED
    at = ENCODED.lastIndex = end
  }
  return output + text.slice(at)
}
