/** How clients are judged: by what they send after the misbehaviour, and by how their process ends. */
import { methodOf, type Exchange } from '../proxy/exchange.js'
import type { Evidence, Judgement, Outcome, ProfileRow } from './profile.js'

export const COPING = 'the client continues, and its process ends with 0'
export const COPING_OR_FAILING = 'the client continues, or its process ends with an error'
export const REFUSING =
  'nothing of the reply is in later requests or on standard output, and the process neither hangs nor dies'

const judgement = (
  status: Judgement['status'], outcome: Outcome, detail: string, exchange?: Exchange
): Judgement => ({ status, outcome, detail, exchange: exchange?.number })

export const copes = (detail: string, exchange?: Exchange): Judgement => judgement('passed', 'copes', detail, exchange)

export const fail = (outcome: Outcome, detail: string, exchange?: Exchange): Judgement =>
  judgement('failed', outcome, detail, exchange)

export const breaks = (detail: string, exchange?: Exchange): Judgement => fail('breaks the rule', detail, exchange)

export const notExercised = (detail: string): Judgement => judgement('not-exercised', 'not exercised', detail)

export const injectedIn = ({ exchanges }: Evidence): Exchange[] =>
  exchanges.filter(({ injected }) => injected !== undefined)

/** Judges by the exchange of the first misbehaviour and those after it; `none` says why nothing happened. */
export const fromFirst = (
  none: string, judge: (first: Exchange, later: Exchange[], evidence: Evidence) => Judgement
): ProfileRow['judge'] => (evidence) => {
  const [first] = injectedIn(evidence)
  return first
    ? judge(first, evidence.exchanges.filter(({ number }) => number > first.number), evidence)
    : notExercised(none)
}

const CRASH = /\bpanicked at\b|Segmentation fault|FATAL ERROR:|Unhandled 'error' event|core dumped/

/**
 * Judges how the process ended: undefined when it ended with 0, still runs, or was not started here. With `mayFail` it
 * may end with an error that says why.
 */
export const judgeProcess = (
  { subject }: Evidence, exchange: Exchange | undefined, { mayFail = false }: { mayFail?: boolean } = {}
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
  const detail = `It ended with ${exitCode}: ${lastLine(words)}`
  return judgement(mayFail ? 'passed' : 'failed', 'fails in words', detail, exchange)
}

const lastLine = (text: string): string => {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean)
  const line = lines.findLast((line) =>
    /error|exception|fail|refus|timed? ?out/i.test(line) && !/^at |^File "/.test(line)) ?? lines.at(-1) ?? ''
  return line.slice(0, 200)
}

const NO_OCCASION = 'The client sent no request to which this happens.'

/** A client has to cope. With `mayFail` it may also end with an error in words. */
const copingJudge = (mayFail: boolean): ProfileRow['judge'] => fromFirst(NO_OCCASION, (first, [next], evidence) => {
  const ofProcess = judgeProcess(evidence, first, { mayFail })
  if (ofProcess) return ofProcess
  if (evidence.subject?.end === 'itself') return copes('It went on and ended with 0.', first)
  return next
    ? copes('It went on.', next)
    : notExercised('Nothing came after it, so nothing shows whether the client coped.')
})

export const judgeCoping = copingJudge(false)
export const judgeCopingOrFailing = copingJudge(true)

/** A client has to refuse. `accepted` finds the exchange that shows that it did not. */
export const refusingJudge = (
  accepted: (later: Exchange[]) => Exchange | undefined = () => undefined
): ProfileRow['judge'] => fromFirst(NO_OCCASION, (first, later, evidence) => {
  const { subject, marker } = evidence
  const use = accepted(later) ?? later.find((exchange) => holds(exchange, marker))
  if (use) return fail('accepts it', 'A later request shows that it used the reply.', use)
  const ofProcess = judgeProcess(evidence, first, { mayFail: true })
  if (ofProcess) return ofProcess
  return subject?.stdout.includes(marker)
    ? fail('accepts it', 'It printed what the reply said, and ended without an error.', first)
    : copes('Nothing shows that it used the reply.', first)
})

export const LEGAL = { kind: 'legal', judgedBy: COPING, judge: judgeCoping } as const
export const LEGAL_REFUSAL = { kind: 'legal', judgedBy: COPING_OR_FAILING, judge: judgeCopingOrFailing } as const
export const ILLEGAL = { kind: 'illegal', judgedBy: REFUSING, judge: refusingJudge() } as const

export const holds = ({ url, body, headers }: Exchange, text: string): boolean =>
  `${url} ${body ?? ''} ${JSON.stringify(headers)}`.includes(text)

/** Finds a leaked credential: the token, or another secret, sent to another origin. */
export const judgeLeak = ({ elsewhere, token }: Evidence, secret = token): Judgement | undefined =>
  elsewhere.some((exchange) => holds(exchange, secret))
    ? fail('leaks its credential', 'A server of another origin received the token.')
    : undefined

/** What a request asks for: method and parameters, without id and metadata; undefined for what is no request. */
export const contentOf = ({ call }: Exchange): string | undefined => {
  if (call.message?.kind !== 'request') return undefined
  const { _meta, ...params } = call.message.params
  return JSON.stringify([methodOf(call), params])
}

export const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  contentOf(one) !== undefined && contentOf(one) === contentOf(other)
