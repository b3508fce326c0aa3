/** `surface lock` and `surface diff`: keep what a server shows, and report by class what changed. */
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import type { Check } from '../../client-testing/reports/report.js'
import { diffSurfaces, inspectSurfaces } from '../../client-testing/surface/compare.js'
import { readLock, withoutToken, writeLock, type Surfaces } from '../../client-testing/surface/surface.js'
import { redactUrl } from '../../lib/redact/redact-headers.js'
import { readBearerToken } from '../credentials/read-token.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { endpointAt } from '../local-server-url.js'
import { deliverReport, openReportTarget, type ReportOptions } from './deliver-report.js'
import { readSurfaces } from './surface/read-surface.js'

interface SurfaceOptions extends ReportOptions {
  url: string
  /** `NAME=FILE`, each. */
  tokenFile?: string[]
  allowHttp?: true
  lock: string
}

export const lock: CommandHandler<SurfaceOptions> = (options, context) =>
  examine(options, context, async (surfaces) => {
    await writeLock(options.lock, surfaces)
    return inspectSurfaces(surfaces)
  })

export const diff: CommandHandler<SurfaceOptions> = async (options, context) => {
  const locked = await readLock(options.lock)
  const names = (options.tokenFile ?? []).map((text) => parseToken(text).name)
  const missing = Object.keys(locked).filter((name) => names.length > 0 && !names.includes(name))
  if (missing.length > 0 || (names.length === 0 && Object.keys(locked).length > 1)) {
    const credentials = Object.keys(locked).join(', ')
    throw new WorkbenchError('usage', `The lock file has ${credentials}: give each with --token-file NAME=FILE.`)
  }
  await examine(options, context, async (surfaces) => diffSurfaces(locked, surfaces), Object.keys(locked)[0])
}

const examine = async (
  options: SurfaceOptions & { json: boolean },
  context: CliContext,
  judge: (surfaces: Surfaces) => Promise<Check[]>,
  onlyName = 'default'
): Promise<void> => {
  const target = await openReportTarget(options)
  const url = endpointAt(options.url)
  const given = options.tokenFile?.map(parseToken) ?? [{ name: onlyName, file: undefined }]
  if (new Set(given.map(({ name }) => name)).size < given.length) {
    throw new WorkbenchError('usage', 'Two credentials have one name.')
  }
  const surfaces: Record<string, Surfaces[string]> = {}
  for (const { name, file } of given) {
    const token = await readBearerToken(url, { tokenFile: file, allowHttp: options.allowHttp }, context)
    surfaces[name] = withoutToken(await readSurfaces(url, token), token)
  }
  const checks = await judge(surfaces)
  const subject = redactUrl(url.href)
  await deliverReport({ command: 'surface', subject, failOn: 'should', checks }, target, options, context)
}

const parseToken = (text: string): { name: string, file: string } => {
  const [, name, file] = /^([\w.-]{1,64})=(.+)$/s.exec(text) ?? []
  if (name !== undefined && file !== undefined) return { name, file }
  throw new WorkbenchError('usage', '--token-file takes NAME=FILE, such as reader=reader.key.')
}
