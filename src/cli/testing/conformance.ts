/** `conformance`: runs the official test suite against a server, through a proxy that adds the credential. */
import { askServer } from './conformance/ask-server.js'
import { bearerProxy } from './conformance/bearer-proxy.js'
import { fetchSuite, type Scenario } from './conformance/official-suite.js'
import { tableOf, totalsOf } from './conformance/report.js'
import { runSuite, suiteChecks } from './conformance/run-suite.js'
import { Refusal } from '../../lib/errors.js'
import { redactUrl } from '../../lib/redact/redact-headers.js'
import { pluralize } from '../../lib/text/text.js'
import { toCommandLine, createRedactor } from '../../client-testing/redact.js'
import { failuresFor, type Check } from '../../client-testing/reports/report.js'
import { readBearerToken } from '../credentials/read-token.js'
import { stripControlChars, print } from '../print/print.js'
import type { CommandHandler } from '../cli-context.js'
import { fileReport, openReportTarget, type ReportOptions } from './deliver-report.js'
import { endpointAt } from '../local-server-url.js'

interface ConformanceOptions extends Pick<ReportOptions, 'report' | 'baseline' | 'compare'> {
  url: string
  tokenFile?: string
  allowHttp?: true
}

export const conformance: CommandHandler<ConformanceOptions> = async (options, context) => {
  const { url, json } = options
  const endpoint = endpointAt(url)
  const bearer = await readBearerToken(endpoint, options, context)
  const target = await openReportTarget(options)
  const offers = await askServer(endpoint, bearer)
  const suite = await fetchSuite(context.env)
  const proxy = await bearerProxy(endpoint, bearer, (seconds) => {
    context.stderr.write(`The server limits requests: waiting ${seconds} s.\n`)
  })
  let scenarios: Scenario[]
  try {
    scenarios = await runSuite(suite, proxy.url, offers)
  } finally {
    await proxy.close()
  }
  const redactor = createRedactor(bearer === undefined ? [] : [bearer])
  const subject = redactor.text(redactUrl(endpoint.href))
  const again = toCommandLine(['npx', 'exploration-mcp', 'conformance', '--url', subject], redactor)
  const checks = suiteChecks(scenarios, again).map((check) => ({ ...check, detail: redactor.text(check.detail) }))
  const report = await fileReport({ command: 'conformance', subject, checks, failOn: 'should' }, target)
  print({ ...context, json }, { totals: totalsOf(scenarios), scenarios },
    [...tableOf(scenarios).split('\n'), ...report.notes].map(stripControlChars).join('\n'))
  const failures = failuresFor(report)
  if (failures.length > 0) throw new Refusal(sentenceOn(failures, scenarios, proxy.limited()))
}

const sentenceOn = (failures: readonly Check[], scenarios: readonly Scenario[], limited: number): string => {
  const complaints = scenarios
    .filter(({ name, revision }) => failures.some(({ id }) => id === `${revision}/${name}`))
    .reduce((sum, { failed, warnings }) => sum + failed + warnings, 0)
  const stale = failures.filter(({ group }) => group === 'baseline').map(({ id }) => id.replace(/^baseline\//, ''))
  const checks = pluralize(complaints, 'check')
  const parts = [
    ...complaints > 0 || limited > 0 ? [`${checks} of the official suite failed or warned`] : [],
    ...stale.length > 0 ? [`the baseline lists what passes now: ${stale.join(', ')}`] : []
  ]
  const first = parts.join('; ')
  return limited > 0
    ? `${first}, and ${limited} of its requests were refused with 429: run it with a credential, or against a ` +
      'server, of higher limits.'
    : `${first}.`.replace(/^t/, 'T')
}
