// No text of a record, a query or a client takes more than its length to read: every function that reads one, on inputs that defeat
// careless patterns, and a limit of time for each function, far above the need: one that takes the square of the length would need minutes.
import { createContext, Script } from 'node:vm'
import t from 'tap'
import { some } from '../helpers/fuzzing.js'
import { requireAccept } from '../../src/engine/http/accept.js'
import { readBearer } from '../../src/access/bearer.js'
import { requireJson } from '../../src/engine/http/media-type.js'
import { decodeHeaderValue } from '../../src/engine/eras/modern/header-value.js'
import { readEventId } from '../../src/engine/eras/legacy/event-id.js'
import { canonicalUris } from '../../src/engine/resources/resource-registry.js'
import { isDeeperThan } from '../../src/lib/json/json-depth.js'
import { bestSentence, queryWords } from '../../src/search/snippets/best-sentence.js'
import { clauses } from '../../src/search/embedders/word-vectors/tokens.js'
import { clip } from '../../src/search/embedders/openai/openai-embedder.js'
import { quotedPhrases, reference } from '../../src/db/sql/query-references.js'
import { sanitizeText } from '../../src/lib/text/text.js'
import { traceIdsOf } from '../../src/telemetry/tracing.js'
import { escapeInvisible, stripInvisible } from '../../src/lib/text/invisible.js'
import { outline } from '../../src/planning/tools/outline.js'
import { blockquote, fenced, quoteId, quoteText } from '../../src/planning/tools/escape-text.js'
import { textFaults } from '../../src/lib/schema/check-values.js'
import { redactHeaders, redactUrl } from '../../src/lib/redact/redact-headers.js'
import { redactText } from '../../src/lib/redact/redact.js'

const MAX_MS = 60_000
const RECORD = 100_000
const HEADER = 16_000
const QUERY = 1000

const ignoring = (work: (text: string) => unknown) => (text: string): unknown => {
  try {
    return work(text)
  } catch {
    return undefined
  }
}

/** With the most characters that each is given. */
const FUNCTIONS: Record<string, readonly [most: number, run: (text: string) => unknown]> = {
  clauses: [RECORD, (text) => [...clauses(text)]],
  bestSentence: [RECORD, (text) => bestSentence(text, { words: queryWords({ a: 1, x: 1, svc: 1 }) })],
  outline: [RECORD, (text) => outline(text, 100)],
  'a heading': [RECORD, (text) => outline(`# ${text}`, 100)],
  quoted: [RECORD, quoteText],
  block: [RECORD, (text) => blockquote(text)],
  fenced: [RECORD, (text) => fenced(text, 'markdown')],
  name: [RECORD, quoteId],
  clip: [RECORD, (text) => clip(text, RECORD)],
  storable: [RECORD, sanitizeText],
  textFaults: [RECORD, textFaults],
  stripInvisible: [RECORD, stripInvisible],
  escapeInvisible: [RECORD, escapeInvisible],
  redactText: [RECORD, redactText],
  'redactText of JSON': [RECORD, (text) => redactText(JSON.stringify({ requestState: text }))],
  redactUrl: [HEADER, redactUrl],
  redactHeaders: [HEADER, (text) => redactHeaders({ 'user-agent': text })],
  isDeeperThan: [RECORD, (text) => isDeeperThan(text)],
  quotedPhrases: [QUERY, quotedPhrases],
  reference: [QUERY, reference],
  requireAccept: [HEADER, ignoring((text) => requireAccept(text, 'strict'))],
  requireJson: [HEADER, ignoring((text) => requireJson({ 'content-type': `application/json${text}` }, 1))],
  readBearer: [HEADER, readBearer],
  readEventId: [HEADER, readEventId],
  decodeHeaderValue: [HEADER, (text) => [decodeHeaderValue(text), decodeHeaderValue(`=?base64?${text}?=`)]],
  traceIdsOf: [HEADER, traceIdsOf],
  canonicalUris: [2048, (text) => canonicalUris([{ template: 'service://exploration/{id}/artifact/{type}' }])(`service://exploration/${text}`)]
}

const UNITS = ['.', ',;', '. ', ' ', '\n', '\n ', '\t', '\r\n', 'a', 'aA1', '1', '1.', '#', '# ', '\'', 'a\'', '"', '“', '("', '[', '{"', '`', '```', '~~~\n',
  '\\', '\\\\u', '\\u005', '\\u005f', '%', '%5', '%25', '%5f', '-', '*', '|', '>', '\n-', '\n1', '=', '/', ';', ';q=0', '; ', ':', '<a', '_',
  'eyJ', 'eyJa', '.eyJ', 'eyJaaaaaaaaaaaaaaaaaaaaaaaaa.', 'svc_', 'svc_key_', 'svc_key_A', 'c3ZjX2tleV', '"requestState":', '"requestState":"',
  '"requestState" ', '\u0315', '\u0315\u0316', '\u0300\u0316\u0315', '\u200d', '\u{1F600}\u200d', 'अ\u200d', '\ufe0f', '1\ufe0f', '\u{E0041}', '\u{1F3F4}\u{E0067}',
  '\ufdfa', '\uff9e', '漢', '\ud800', '\0']
const inputs = function * (most: number): Generator<readonly [name: string, text: string]> {
  for (const unit of some(UNITS)) {
    const run = unit.repeat(Math.floor(most / unit.length))
    yield [JSON.stringify(unit), run]
    yield [`${JSON.stringify(unit)} and an end`, `${run.slice(0, -2)}x!`]
  }
  yield ['marks in the wrong order', `a${'\u0315'.repeat(most / 2)}${'\u0316'.repeat(most / 2)}`]
  yield ['spaces before the end', `a${' '.repeat(most - 2)}b`]
}

const script = new Script('work()')
const context = createContext({ work: () => {} })

for (const [name, [most, run]] of Object.entries(FUNCTIONS)) {
  t.test(name, async (t) => {
    let last = ''
    // All of them under one limit: to set one takes longer than most inputs do.
    context['work'] = () => {
      for (const [input, text] of inputs(most)) {
        last = input
        run(text)
      }
    }
    if (!t.doesNotThrow(() => { script.runInContext(context, { timeout: MAX_MS }) })) t.comment(`with ${last}`)
  })
}
