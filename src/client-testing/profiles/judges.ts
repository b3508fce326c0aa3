/** How clients are judged: by what they send after the misbehaviour, and by how their process ends. */
import type { Exchange } from '../proxy/exchange.js'
import type { Evidence, Judgement, Outcome } from './profile.js'

export const COPING = 'the client continues, and its process ends with 0'
export const COPING_OR_FAILING = 'the client continues, or its process ends with an error'
export const REFUSING =
  'nothing of the reply is in later requests or on standard output, and the process neither hangs nor dies'

/** Returns a judgement of success; `exchange` is the number of the exchange that shows it. */
export const pass = (outcome: Outcome, detail: string, exchange?: number): Judgement => ({
  status: 'passed',
  outcome,
  detail,
  ...(exchange !== undefined && { exchange })
})

/** Returns a judgement of failure; `exchange` is the number of the exchange that shows it. */
export const fail = (outcome: Outcome, detail: string, exchange?: number): Judgement => ({
  status: 'failed',
  outcome,
  detail,
  ...(exchange !== undefined && { exchange })
})

/** Returns the judgement of a profile that the client gave no occasion for. */
export const notExercised = (detail: string): Judgement => ({
  status: 'not-exercised',
  outcome: 'not exercised',
  detail
})

/** Returns the exchanges in which the proxy misbehaved. */
export const injectedIn = ({ exchanges }: Evidence): Exchange[] =>
  exchanges.filter(({ injected }) => injected !== undefined)

/** Returns the exchanges that began after the first misbehaviour. */
export const afterInjection = (evidence: Evidence): Exchange[] => {
  const [first] = injectedIn(evidence)
  return first ? evidence.exchanges.filter(({ number }) => number > first.number) : []
}

const CRASH = /\bpanicked at\b|Segmentation fault|FATAL ERROR:|Unhandled 'error' event|core dumped/

/**
 * Judges how the process ended: undefined when it ended with 0, still runs, or was not started here.
 * @param exchange the number of the exchange that the judgement shows
 * @param options.mayFail whether a process passes that ends with an error and says why
 */
export const judgeProcess = (
  { subject }: Evidence, exchange: number | undefined, { mayFail = false }: { mayFail?: boolean } = {}
): Judgement | undefined => {
  if (!subject) return undefined
  const { end, exitCode, signal, stdout, stderr } = subject
  if (end === 'timeout') return fail('hangs', 'It was still waiting when the time for the run was over.', exchange)
  if (end !== 'itself') return undefined
  if (signal !== null || (exitCode !== null && exitCode >= 128)) {
    return fail('crashes', `It was ended by ${signal ?? `exit code ${exitCode}`}.`, exchange)
  }
  const words = `${stderr}\n${stdout}`.trim()
  if (CRASH.test(words)) return fail('crashes', `It broke down: ${lastLine(words)}`, exchange)
  if (exitCode === 0) return undefined
  if (words === '') return fail('crashes', `It ended with ${exitCode} without a word.`, exchange)
  return (mayFail ? pass : fail)('fails in words', `It ended with ${exitCode}: ${lastLine(words)}`, exchange)
}

/** The last line that says something: of a stack trace, the line of the error. */
const lastLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const line =
    lines.findLast((line) => /error|exception|fail|refus|timed? ?out/i.test(line) && !/^at |^File "/.test(line)) ??
    lines.at(-1) ??
    ''
  return line.slice(0, 200)
}

/** Judges a client that has to cope. With `mayFail` it may also end with an error in words. */
export const judgeCoping = (evidence: Evidence, { mayFail = false }: { mayFail?: boolean } = {}): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request to which this happens.')
  const ofProcess = judgeProcess(evidence, first.number, { mayFail })
  if (ofProcess) return ofProcess
  if (evidence.subject?.end === 'itself') return pass('copes', 'It went on and ended with 0.', first.number)
  const next = afterInjection(evidence)[0]
  return next
    ? pass('copes', 'It went on.', next.number)
    : notExercised('Nothing came after it, so nothing shows whether the client coped.')
}

/** Judges a client that has to refuse. `accepted` finds the exchange that shows that it did not. */
export const judgeRefusing = (
  evidence: Evidence,
  accepted: (later: Exchange[]) => Exchange | undefined = () => undefined
): Judgement => {
  const [first] = injectedIn(evidence)
  if (!first) return notExercised('The client sent no request to which this happens.')
  const later = afterInjection(evidence)
  const use = accepted(later) ?? later.find((exchange) => holds(exchange, evidence.marker))
  if (use) return fail('accepts it', 'A later request shows that it used the reply.', use.number)
  const ofProcess = judgeProcess(evidence, first.number, { mayFail: true })
  if (ofProcess) return ofProcess
  const { subject, marker } = evidence
  if (subject?.stdout.includes(marker)) {
    return fail('accepts it', 'It printed what the reply said, and ended without an error.', first.number)
  }
  return pass('copes', 'Nothing shows that it used the reply.', first.number)
}

const holds = ({ url, body, headers }: Exchange, marker: string): boolean =>
  `${url} ${body ?? ''} ${JSON.stringify(headers)}`.includes(marker)

/** Finds a leaked credential: the token, sent to another origin. */
export const judgeLeak = ({ elsewhere, token }: Evidence): Judgement | undefined =>
  elsewhere.some(({ headers, url, body }) => `${JSON.stringify(headers)} ${url} ${body ?? ''}`.includes(token))
    ? fail('leaks its credential', 'A server of another origin received the token.')
    : undefined

/** Whether two requests ask the same: method and parameters, without id and metadata. */
export const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  contentOf(one) !== undefined && contentOf(one) === contentOf(other)

const contentOf = ({ call: { message } }: Exchange): string | undefined => {
  if (message?.kind !== 'request') return undefined
  const { _meta, ...params } = message.params
  return JSON.stringify([message.method, params])
}
