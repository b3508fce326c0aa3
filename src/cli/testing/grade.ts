/** `grade`: runs a client against a correct server and against servers that misbehave, and reports by clause. */
import { aborted } from '../../lib/async/deadline.js'
import { toCommandLine, createRedactor } from '../../client-testing/redact.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { writeConfigFile } from '../../client-testing/grade/config-file.js'
import { grade as gradeCommand, gradeVisitors } from '../../client-testing/grade/grade.js'
import type { ClientUnderTest } from '../../client-testing/grade/run-profile.js'
import { runSubject } from '../../client-testing/grade/subject.js'
import { AUTHORIZATION_PROFILES } from '../../client-testing/authorization/authorization-profiles.js'
import { PROFILES } from '../../client-testing/profiles/all-profiles.js'
import type { Profile } from '../../client-testing/profiles/profile.js'
import type { Check, FailOn } from '../../client-testing/reports/report.js'
import { createTestToken, startTestServer } from '../../client-testing/test-server.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { print } from '../print/print.js'
import { printList } from '../print/table.js'
import { deliverReport, openReportTarget, type ReportOptions } from './deliver-report.js'

export interface GradeCommandOptions extends ReportOptions {
  command: string[]
  profile?: string
  listProfiles?: true
  authorization?: true
  failOn: FailOn
  /** Seconds. */
  for?: number
  /** Seconds. */
  timeout: number
  configFile?: string
}

export const grade: CommandHandler<GradeCommandOptions> = async (options, context) => {
  if (options.listProfiles) {
    return printList({ ...context, json: options.json }, tableOf(options), [
      ['PROFILE', ({ id }) => id], ['KIND', ({ kind }) => kind], ['ERAS', ({ eras }) => eras.join(' ')],
      ['LEVEL', ({ level }) => level], ['WHAT HAPPENS', ({ happens }) => happens]
    ], 'There is none.')
  }
  const profiles = profilesNamed(options)
  const { command, authorization = false } = options
  if (command.length === 0 && profiles.length > 1) {
    throw new WorkbenchError('usage', 'Without a command one server is started: name one profile.')
  }
  const target = await openReportTarget(options)
  const token = createTestToken()
  const redactor = createRedactor([token])
  const stop = new AbortController()
  context.onStop(() => stop.abort())
  const server = await startTestServer(token)
  const run = { server, token, client: clientOf(options, context, token, stop.signal), authorization }
  let checks: Check[]
  try {
    checks = command.length === 0
      ? await gradeVisitors(profiles[0], run)
      : await gradeCommand({
        ...run,
        profiles,
        requireSuccess: profiles.length > 0 || authorization,
        signal: stop.signal,
        reproduce: (profile) => `npx exploration-mcp grade${authorization ? ' --authorization' : ''}` +
          `${profile ? ` --profile ${profile.id}` : ''} -- ${toCommandLine(command, redactor)}`,
        onRun: (profile) => {
          if (context.stderr.isTTY) context.stderr.write(`Running ${profile?.id ?? 'on the correct server'} …\n`)
        }
      })
  } finally {
    await server.close()
  }
  await deliverReport({
    command: 'grade',
    subject: command.length === 0 ? 'clients of this server' : toCommandLine(command, redactor),
    checks,
    failOn: options.failOn,
    notes: notesOn(checks, command.length > 0 && stop.signal.aborted)
  }, target, options, context)
  if (stop.signal.aborted && command.length > 0) throw new WorkbenchError('stopped', 'Stopped.')
}

const notesOn = (checks: readonly Check[], isStopped: boolean): string[] => [
  ...isStopped ? ['The run was stopped; profiles after it were not run.'] : [],
  ...checks.length === 0 ? ['No client sent a request.'] : []
]

/** Runs the command; without one, prints the address and waits until the user stops it. */
const clientOf = (
  { command, timeout, for: seconds, configFile, authorization, json }: GradeCommandOptions & { json: boolean },
  context: CliContext, token: string, signal: AbortSignal
): ClientUnderTest => ({
  async run (url) {
    const given = authorization ? undefined : token
    const removeConfig = configFile === undefined ? undefined : await writeConfigFile(configFile, url, given)
    try {
      if (command.length > 0) {
        const env = { ...context.env, MCP_URL: url, MCP_TOKEN: given }
        return await runSubject(command, { env, timeout, for: seconds, signal })
      }
      const invitation = 'Connect clients, then press Ctrl-C.'
      print({ ...context, json }, given === undefined ? { url } : { url, token }, given === undefined
        ? `MCP_URL=${url}\n${invitation}`
        : `MCP_URL=${url}\nMCP_TOKEN=${token}\n${invitation} ` +
          'Clients with the same name are told apart by what you append to the token after a full stop.')
      await aborted(signal)
      return undefined
    } finally {
      await removeConfig?.()
    }
  }
})

const tableOf = ({ authorization }: Pick<GradeCommandOptions, 'authorization'>): readonly Profile[] =>
  authorization ? AUTHORIZATION_PROFILES : PROFILES

const profilesNamed = (options: Pick<GradeCommandOptions, 'profile' | 'authorization'>): Profile[] => {
  const { profile: names } = options
  if (names === undefined) return []
  if (names === 'all') return [...tableOf(options)]
  return [...new Set(names.split(',').map((name) => name.trim()).filter(Boolean))].map((name) => {
    const profile = tableOf(options).find(({ id }) => id === name)
    if (profile) return profile
    throw new WorkbenchError('usage',
      `There is no profile ${JSON.stringify(name)}. grade --list-profiles shows them; all means every one.`)
  })
}
