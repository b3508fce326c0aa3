/** `replay`: a recording as a server, or its requests against a server. */
import { aborted } from '../../lib/async/deadline.js'
import { toCommandLine, createRedactor } from '../../client-testing/redact.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { runSubject } from '../../client-testing/grade/subject.js'
import { RULES_OF_COMPARISON } from '../../client-testing/recording/compare.js'
import { readRecording, type Recording } from '../../client-testing/recording/read-recording.js'
import { replayToServer } from '../../client-testing/recording/replay-client.js'
import { replayChecks } from '../../client-testing/recording/replay-checks.js'
import { startReplayServer } from '../../client-testing/recording/replay-server.js'
import type { Check } from '../../client-testing/reports/report.js'
import { createTestToken } from '../../client-testing/test-server.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { deliverReport, openReportTarget, type ReportOptions } from './deliver-report.js'
import { endpointAt } from '../local-server-url.js'
import { print } from '../print/print.js'
import { readBearerToken } from '../credentials/read-token.js'

interface ReplayOptions extends ReportOptions {
  /** The file, then the command. */
  file: string[]
  serve?: true
  speed: number
  url?: string
  tokenFile?: string
  allowHttp?: true
  /** Seconds. */
  timeout: number
}

export const replay: CommandHandler<ReplayOptions> = async (options, context) => {
  const { file: [file = '', ...command], serve, url } = options
  if ((serve === true) === (url !== undefined)) {
    throw new WorkbenchError('usage',
      'Say either --serve, to be the server of the recording, or --url URL, to compare a server with it.')
  }
  if (url !== undefined && command.length > 0) throw new WorkbenchError('usage', 'A command belongs to --serve.')
  const target = await openReportTarget(options)
  const recording = await readRecording(file)
  const stop = new AbortController()
  context.onStop(() => stop.abort())
  const checks = url === undefined
    ? await serveRecording(recording, command, options, context, stop.signal)
    : await replayToServer({
      exchanges: recording.exchanges,
      target: endpointAt(url),
      token: await readBearerToken(endpointAt(url), options, context),
      signal: stop.signal
    })
  const clients = command.length === 0 ? 'clients of the recording' : toCommandLine(command, createRedactor())
  const subject = url === undefined ? clients : endpointAt(url).href
  const notes = [...recording.notes, ...(url === undefined ? [] : RULES_OF_COMPARISON)]
  await deliverReport({ command: 'replay', subject, checks, failOn: options.failOn, notes }, target, options, context)
}

const serveRecording = async (
  { exchanges }: Recording, command: readonly string[], { speed, timeout, json }: ReplayOptions & { json: boolean },
  context: CliContext, signal: AbortSignal
): Promise<Check[]> => {
  const server = await startReplayServer({ exchanges, speed })
  const token = createTestToken()
  try {
    if (command.length === 0) {
      print({ ...context, json }, { url: server.url }, `MCP_URL=${server.url}\nConnect clients, then press Ctrl-C.`)
      await aborted(signal)
    } else {
      const { end, exitCode, signal: by, stderr, stdout } = await runSubject(command, {
        env: { ...context.env, MCP_URL: server.url, MCP_TOKEN: token },
        timeout,
        signal
      })
      if (end === 'timeout') {
        throw new WorkbenchError('never-ended', 'The command did not end in time. Give it more with --timeout.')
      }
      if (end === 'itself' && exitCode !== 0) {
        const last = (stderr || stdout).trim().split('\n').at(-1) ?? ''
        context.stderr.write(`The command ended with ${by ?? exitCode}: ${last}\n`)
      }
    }
    return replayChecks(exchanges, server, createRedactor([token]))
  } finally {
    await server.close()
  }
}
