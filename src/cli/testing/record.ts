/** `record`: a recording reverse proxy between clients and a server. */
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPlainHttp } from '../../agent-setup/credentials/http-client.js'
import { aborted } from '../../lib/async/deadline.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { runSubject, type SubjectOutcome } from '../../client-testing/grade/subject.js'
import { startRecorder } from '../../client-testing/recording/record.js'
import type { CommandHandler } from '../cli-context.js'
import { endpointAt } from '../local-server-url.js'
import { print, stripControlCharsKeepLines } from '../print/print.js'
import { readBearerToken, withoutTls } from '../credentials/read-token.js'

interface RecordCommandOptions {
  command: string[]
  to: string
  output: string
  tokenFile?: string
  allowHttp?: true
  /** Seconds. */
  for?: number
  /** Seconds. */
  timeout: number
}

export const record: CommandHandler<RecordCommandOptions> = async (options, context) => {
  const { command, to, output, json, timeout } = options
  const target = endpointAt(to)
  const token = await readBearerToken(target, options, context)
  if (token === undefined && isPlainHttp(target)) context.stderr.write(withoutTls('what clients send goes', target))
  const stop = new AbortController()
  context.onStop(() => stop.abort())
  const recorder = await startRecorder({ target, token, file: output })
  let result
  let end: SubjectOutcome['end'] | undefined
  try {
    if (command.length === 0) {
      const until = options.for === undefined ? 'press Ctrl-C' : `wait ${options.for} s or press Ctrl-C`
      print({ ...context, json }, { url: recorder.url }, `MCP_URL=${recorder.url}\nConnect clients, then ${until}.`)
      if (options.for === undefined) await aborted(stop.signal)
      // Ends early when the user stops it.
      else await sleep(options.for * 1000, undefined, stop).catch(() => {})
    } else {
      const outcome = await runSubject(command, {
        env: { ...context.env, MCP_URL: recorder.url, MCP_TOKEN: token ?? context.env['MCP_TOKEN'] },
        timeout,
        for: options.for,
        signal: stop.signal
      })
      context.stderr.write(stripControlCharsKeepLines(outcome.stdout + outcome.stderr))
      end = outcome.end
    }
  } finally {
    result = await recorder.close()
    if (command.length > 0 && result.written === 0) await rm(output, { force: true })
  }
  const { written, leftOut } = result
  if (command.length > 0 && written === 0) {
    throw new WorkbenchError('never-connected', 'The command sent no request to MCP_URL.')
  }
  if (end === 'timeout') {
    throw new WorkbenchError('never-ended', 'The command did not end in time; what it did is recorded.')
  }
  print(
    { ...context, json },
    { file: output, exchanges: written, left_out: leftOut },
    `${written} exchanges are in ${output}.${leftOut > 0 ? ` ${leftOut} more did not fit.` : ''}`
  )
}
