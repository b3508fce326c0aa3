/** The output of `init`: what it would change, what it did, what the user has to do next. Never a secret. */
import { credentialsPath, tokenFileOf } from '../../agent-setup/credentials/credentials-file.js'
import { mask } from '../../agent-setup/config-files/diff.js'
import type { InstallStep, InstallRun } from '../../agent-setup/install/install.js'
import { instructionsAt } from '../../agent-setup/install/guide.js'
import { canReference, variableOf } from '../../agent-setup/credentials/secret-strategy.js'
import { Refusal } from '../../lib/errors.js'
import type { Chosen } from './choose-agents.js'
import { stripControlChars, stripControlCharsKeepLines, print } from '../print/print.js'
import type { CliContext } from '../cli-context.js'
import { commandLine } from '../../lib/text/command-line.js'

export interface InitOutcome extends InstallRun {
  chosen: Chosen
  dryRun: boolean
  /** Whether this command line can start the server. */
  local: boolean
}

const WARNING_MS = 14 * 86_400_000

export function showPlan ({ stdout }: CliContext, entries: readonly InstallStep[], made: readonly string[]): void {
  for (const { installation: { agent }, plan } of entries) {
    if (plan.diff !== '') stdout.write(`${agent.name}\n${stripControlCharsKeepLines(plan.diff.trimEnd())}\n\n`)
    if (plan.problem) stdout.write(`${agent.name}: ${stripControlCharsKeepLines(plan.problem.message)}\n\n`)
  }
  for (const one of made) stdout.write(`To be created: ${stripControlChars(one)}\n`)
}

export function report ({ json }: { json: boolean }, context: CliContext, outcome: InitOutcome): void {
  const { entries, tokens, url, dryRun, chosen, ended } = outcome
  const unchanged = isIdle(outcome)
  const warnings = warningsOf(outcome)
  print({ ...context, json }, {
    url,
    dry_run: dryRun,
    credentials_file: credentialsPath(context.host),
    tokens: [...tokens].map(([name, { id, kind, expires_at: expires }]) => ({ name, id, kind, expires_at: expires })),
    agents: entries.map((entry) => asData(entry, outcome)),
    instructions: chosen.instructed.map(({ id, instructions }) => ({
      agent: id, text: instructionsAt(instructions, url)
    })),
    ...ended && { revoked: ended.revoked, not_revoked: ended.failed },
    warnings
  }, [
    ...entries.map((entry) => lineOf(entry, outcome)),
    ...dryRun ? [] : nextSteps(outcome, context),
    ...chosen.instructed.map(({ instructions }) => instructionsAt(instructions, url)),
    ...warnings,
    ...dryRun ? ['Nothing was changed: this is what it would do.'] : [],
    ...dryRun || tokens.size === 0 ? [] : [`The credentials are stored in ${credentialsPath(context.host)}.`]
  ].map(stripControlCharsKeepLines).join('\n'))
  const failed = entries.filter((entry) => isFailed(entry) && !(unchanged && entry.verdict))
  if (failed.length > 0 && !dryRun) {
    throw new Refusal(`${failed.map(({ installation }) => installation.agent.name).join(', ')}: not registered, or ` +
      'not connected to the server. ' +
      `Correct the problem and run init again, or undo everything: ${commandLine('uninstall')}`)
  }
}

const isFailed = ({ plan, skipped, verdict }: InstallStep): boolean =>
  !skipped && (plan.problem !== undefined || verdict?.ok === false)

/** The server of this machine is not running, so the written entries could not be tested. */
const isIdle = ({ local, entries }: InitOutcome): boolean =>
  local && entries.every(({ verdict }) => !verdict || (!verdict.ok && verdict.unreachable === true))

const changeOf = ({ plan, skipped }: InstallStep): string => {
  if (skipped) return 'skipped'
  if (plan.problem) return 'refused'
  if (plan.diff === '') return 'unchanged'
  return plan.before === undefined ? 'created' : 'changed'
}

const asData = (entry: InstallStep, { dryRun, tokens }: InitOutcome) => {
  const { installation: { agent, name, scope, strategy, token }, plan, backup, verdict } = entry
  return {
    agent: agent.id,
    name: agent.name,
    entry: name,
    scope,
    file: plan.file,
    change: changeOf(entry),
    secret: strategy,
    token,
    diff: plan.diff,
    ...backup !== undefined && { backup },
    ...plan.problem && { problem: plan.problem.message },
    ...plan.problem?.snippet !== undefined && { snippet: mask(plan.problem.snippet, [tokens.get(token)?.token ?? '']) },
    ...!dryRun && verdict && { verified: verdict.ok },
    ...!dryRun && verdict && (verdict.ok ? { eras: verdict.eras, tools: verdict.tools } : { reason: verdict.reason })
  }
}

function lineOf (entry: InstallStep, { dryRun, tokens }: InitOutcome): string {
  const { installation: { agent, token }, plan, backup, verdict, skipped } = entry
  if (plan.problem) {
    const { message, snippet } = plan.problem
    const said = `${skipped ? '–' : '✖'} ${agent.name}: ${message}`
    return skipped || snippet === undefined
      ? said
      : `${said}\n  Add this by hand, with the token from the credentials file:\n` +
        mask(snippet, [tokens.get(token)?.token ?? ''])
  }
  const change = changeOf(entry)
  const done = `${agent.name}: ${plan.file} ${dryRun && change !== 'unchanged' ? `would be ${change}` : change}`
  if (!verdict) return `${dryRun ? '–' : '✔'} ${done}`
  return verdict.ok
    ? `✔ ${done}, verified: ${verdict.tools} tools${backup === undefined ? '' : `. Backup: ${backup}`}`
    : `${verdict.unreachable ? '!' : '✖'} ${done}, but not verified: ${verdict.reason}`
}

const REFERENCES = [
  ['at once', 'a separate file'], ['with help', 'a variable, or ask you for it,']
] as const

function nextSteps ({ entries }: InitOutcome, { host }: CliContext): string[] {
  const done = entries.filter((entry) => !isFailed(entry) && changeOf(entry) !== 'skipped')
  const pointing = done.filter(({ installation: { strategy } }) => strategy === 'variable' || strategy === 'prompt')
  const tokenHints = pointing.map(({ installation: { agent, strategy, url, token } }) => {
    const file = tokenFileOf(host, url, token)
    return strategy === 'prompt'
      ? `${agent.name} asks for the token when it starts: it is the one line in ${file}.`
      : `${agent.name} reads the variable ${variableOf(token)}. Set it where you start it: export ` +
        `${variableOf(token)}="$(cat '${file}')"`
  })
  const holders = done.filter(({ installation: { strategy } }) => strategy === 'token')
    .map(({ installation: { agent } }) => agent)
  return [
    ...new Set(done.filter(({ plan }) => plan.diff !== '').map(({ installation: { agent } }) => agent.nextStep)),
    ...tokenHints,
    ...REFERENCES.flatMap(([how, where]) => {
      const names = holders.filter((agent) => canReference(agent) === how).map(({ name }) => name).join(', ')
      return names === '' ? [] : [`${names} can read the token from ${where} instead: init --reference.`]
    })
  ]
}

function warningsOf (outcome: InitOutcome): string[] {
  const { tokens, ended } = outcome
  return [
    ...[...tokens].filter(([, { expires_at: expires }]) =>
      expires !== null && Date.parse(expires) - Date.now() < WARNING_MS)
      .map(([name, { expires_at: expires }]) => `The token ${name} expires on ${expires}: run init --rotate before.`),
    ...outcome.entries.filter((entry) => entry.plan.exposed && !isFailed(entry) && !entry.skipped)
      .map(({ plan }) => outcome.dryRun
        ? `Others on this machine can read ${plan.file}: it would be made private (0600), since the token goes into it.`
        : `${plan.file} holds the token and could be read by others on this machine: it was made private (0600).`),
    ...!outcome.dryRun && isIdle(outcome) && outcome.entries.some(({ verdict }) => verdict)
      ? ['The server is not running, so nothing could be tested: start it, then run init again, or ' +
        commandLine('doctor')]
      : [],
    ...outcome.dryRun || !ended?.revoked.length
      ? []
      : [`Revoked: ${ended.revoked.join(', ')}, no longer used.`],
    ...ended?.failed.map(({ id, reason }) =>
      `The old token ${id} still works: it could not be revoked (${reason}) Run init again, or ` +
      `${commandLine(`tokens revoke ${id}`)}`) ?? []
  ]
}
