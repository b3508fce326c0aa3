/** `audit-auth`: grades a protected resource and its authorization server from outside. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { auditAuth } from '../../client-testing/audit-auth/audit.js'
import type { Person } from '../../client-testing/audit-auth/authorize.js'
import { NoAnswer } from '../../client-testing/audit-auth/web.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { redactUrl } from '../../lib/redact/redact-headers.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { endpointAt } from '../local-server-url.js'
import { stripControlChars } from '../print/print.js'
import { deliverReport, openReportTarget, type ReportOptions } from './deliver-report.js'

interface AuditAuthOptions extends ReportOptions {
  url: string
  nonInteractive?: true
}

export const auditAuthCommand: CommandHandler<AuditAuthOptions> = async (options, context) => {
  const target = await openReportTarget(options)
  const { href } = endpointAt(options.url)
  const checks = await auditAuth({
    resource: href,
    person: options.nonInteractive ? undefined : personAt(context),
    pause: async (ms) => {
      context.stderr.write(`Waiting ${Math.ceil(ms / 1000)} s: does a refresh token that was replaced still work?\n`)
      await sleep(ms)
    }
  }).catch((error: unknown) => {
    throw error instanceof NoAnswer ? new WorkbenchError('no-server', error.message) : error
  }).finally(() => { context.stdin.pause() })
  const notes = checks.flatMap(({ id, detail }) => detail.startsWith('Note: ') ? [`${id}: ${detail.slice(6)}`] : [])
  const { failOn } = options
  const content = { command: 'audit-auth', subject: redactUrl(href), failOn, checks, notes } as const
  await deliverReport(content, target, options, context)
}

const WHAT = {
  allow: 'Open this address in a browser, sign in and allow it:',
  'must-be-refused': 'Open this address too. The server has to refuse it: press Enter here when it shows an error.'
}

const personAt = ({ stderr, stdin }: CliContext): Person => ({
  show: (url, what) => { stderr.write(`${WHAT[what]}\n${stripControlChars(url)}\n`) },
  refused: (signal) => lineOf(stdin, signal)
})

const lineOf = async (stdin: Readable, signal: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
  const take = (chunk: unknown): void => {
    if (String(chunk).includes('\n')) resolve()
    else stdin.once('data', take)
  }
  stdin.once('data', take)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
})
