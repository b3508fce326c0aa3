/** Grades a client: its conduct on a correct server by clause, and how it copes with each profile. */
import { createObserver } from '../../engine/engine.js'
import { authorizationChecks, CORRECT_AUTHORIZATION } from '../authorization/authorization-rules.js'
import { notExercised } from '../profiles/judges.js'
import { clausesOf, sentenceOf, type Profile } from '../profiles/profile.js'
import { isRequest, isProtocol, type Exchange } from '../proxy/exchange.js'
import { createRedactor, toSafeExchange, type Redactor } from '../redact.js'
import type { Check } from '../reports/report.js'
import { WorkbenchError } from '../exit-codes.js'
import { clauseChecks } from './clauses.js'
import { duringChecks, violationsIn, type ProfileRun } from './during-profiles.js'
import { runProfile, type RunDeps, type RunOutcome } from './run-profile.js'
import { splitByClient } from './split-clients.js'
import type { SubjectOutcome } from './subject.js'

export interface GradeOptions extends RunDeps {
  profiles: readonly Profile[]
  /** Puts an authorization server in front, where clients get their tokens. */
  authorization?: boolean
  /** Whether the first run, on the correct server, has to end with 0. */
  requireSuccess: boolean
  /** Command lines that repeat one profile; `undefined` stands for the run without one. */
  reproduce?(profile: Profile | undefined): string
  onRun?(profile: Profile | undefined): void
  /** Ends the grading after the run that is under way. */
  signal?: AbortSignal
}

const MAX_EXCHANGES_SHOWN = 4

/** @throws {WorkbenchError} when the client never connects, does not end in time, or fails on the correct server */
export const grade = async (options: GradeOptions): Promise<Check[]> => {
  const { profiles, reproduce, onRun = () => {}, signal, token } = options
  const redactor = createRedactor([token])
  onRun(undefined)
  const first = await runCorrectly(options)
  requireUsable(first, options, redactor)
  const checks: Check[] = checksOfCorrectRun(first, options, redactor)
    .map((check) => ({ ...check, reproduce: reproduce?.(undefined) }))
  const runs: ProfileRun[] = []
  for (const profile of profiles) {
    if (signal?.aborted) break
    const reason = reasonNotToRun(profile, first.exchanges)
    if (reason === undefined) onRun(profile)
    const outcome = reason === undefined
      ? await runProfile(profile, options)
      : { exchanges: [], marker: '', subject: undefined, judgement: notExercised(reason) }
    if (outcome.subject?.end === 'stopped') break
    checks.push(toCheck(profile, outcome, redactor, reproduce?.(profile)))
    runs.push({ profile, violations: violationsIn(outcome), reproduce: reproduce?.(profile) })
  }
  const broken = new Set(checks.filter(({ status }) => status === 'failed').map(({ id }) => id))
  return [...checks, ...duringChecks(runs, broken, redactor)]
}

/** Undefined when it may happen. Profiles of revisions may make a client speak another era. */
const reasonNotToRun = ({ family, eras, needs }: Profile, exchanges: readonly Exchange[]): string | undefined => {
  const requests = exchanges.map(({ call }) => call).filter((call) => isRequest(call))
  if (family !== 'revisions' && !requests.some(({ era }) => eras.includes(era))) {
    const revision = eras.includes('modern') ? '2026-07-28' : '2025-11-25 and before'
    return `The client does not speak ${revision} with the correct server.`
  }
  return needs !== undefined && !requests.some((call) => isRequest(call, needs))
    ? `The client sends no ${needs} to the correct server.`
    : undefined
}

/** Grades clients that others start, against one profile or none. */
export const gradeVisitors = async (
  profile: Profile | undefined, options: CorrectRunOptions
): Promise<Check[]> => {
  const redactor = createRedactor([options.token])
  if (!profile) return checksOfCorrectRun(await runCorrectly(options), options, redactor)
  const outcome = await runProfile(profile, options)
  const runs = [{ profile, violations: violationsIn(outcome) }]
  return [toCheck(profile, outcome, redactor), ...duringChecks(runs, new Set(), redactor)]
}

type CorrectRunOptions = RunDeps & Pick<GradeOptions, 'authorization'>

const runCorrectly = (options: CorrectRunOptions): Promise<RunOutcome> =>
  runProfile(options.authorization ? CORRECT_AUTHORIZATION : undefined, options)

/** Clients are kept apart by their credential, and by the name and version that they declare. */
const checksOfCorrectRun = (
  { exchanges: all }: RunOutcome, { authorization }: CorrectRunOptions, redactor: Redactor
): Check[] => {
  // The authorization server in front refuses requests that have no token yet.
  const exchanges = all.filter((exchange) => isProtocol(exchange) && exchange.injected === undefined)
  const credentials = [...new Set(exchanges.map(({ credential }) => credential))]
  const ofClients = credentials.flatMap((credential) =>
    splitByClient(exchanges.filter((exchange) => exchange.credential === credential)).flatMap((own) => {
      const linter = createObserver({ oneClient: true })
      for (const exchange of own) linter.record(exchange)
      const clients = linter.report()
      const names = clients.map(({ name, version, user_agent: agent }) =>
        name === null ? (agent ?? 'unnamed') : `${name} ${version ?? ''}`.trim())
      const label = [names.join(', '), credential ?? 'without a valid token'].filter(Boolean).join(' · ')
      return clauseChecks(own, clients, redactor, redactor.text(label))
    }))
  return authorization ? [...ofClients, ...authorizationChecks(all, redactor)] : ofClients
}

const toCheck = (
  profile: Profile, { exchanges, judgement, subject }: RunOutcome, redactor: Redactor, reproduce?: string
): Check => {
  const { status, outcome, detail, exchange } = judgement
  const injected = exchanges.filter((each) => each.injected !== undefined).slice(0, MAX_EXCHANGES_SHOWN - 1)
  const shown = new Set([...injected, ...exchanges.filter(({ number }) => number === exchange)])
  return {
    id: profile.id,
    group: `profiles: ${profile.family}`,
    title: `${sentenceOf(profile)}. The client has to ${profile.expects}.`,
    level: profile.level,
    status,
    clauses: clausesOf(profile),
    outcome,
    detail: redactor.text(status === 'failed' && subject ? `${detail}${lastOutput(subject)}` : detail),
    exchanges: [...shown].map((each) => toSafeExchange(each, redactor)),
    reproduce
  }
}

const MAX_LAST_OUTPUT = 600

const lastOutput = ({ stderr, stdout, exitCode }: SubjectOutcome): string => {
  const words = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n')
  const excerpt = words.length > MAX_LAST_OUTPUT ? `…${words.slice(-MAX_LAST_OUTPUT)}` : words
  return exitCode === 0 || words === '' ? '' : `\n${excerpt}`
}

const requireUsable = (
  { exchanges, subject }: RunOutcome, { requireSuccess, signal }: GradeOptions, redactor: Redactor
): void => {
  if (signal?.aborted) return
  const words = subject ? redactor.text(lastOutput({ ...subject, exitCode: 1 })) : ''
  if (exchanges.length === 0) {
    throw new WorkbenchError('never-connected', 'The command sent no request. It has to connect to MCP_URL with the ' +
      `bearer token MCP_TOKEN (or use --config-file).${words}`)
  }
  if (subject?.end === 'timeout') {
    throw new WorkbenchError('never-ended', 'The command did not end on the correct server. Give it more time with ' +
      `--timeout, or say with --for how long a client that does not end shall run.${words}`)
  }
  if (requireSuccess && subject?.end === 'itself' && subject.exitCode !== 0) {
    throw new WorkbenchError('command-failed', 'The command fails on the correct server too ' +
      `(${subject.signal ?? `exit code ${subject.exitCode}`}), so no profile can be judged.${words}`)
  }
}
