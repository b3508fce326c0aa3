/** What a client did with a replayed recording, as checks. */
import { methodOf } from '../proxy/client-request.js'
import { toSafeExchange, type Redactor, type SafeExchange } from '../redact.js'
import type { Check } from '../reports/report.js'
import { isObject } from '../../lib/json/json-object.js'
import type { ReplayServer } from './replay-server.js'

/** Returns one check for each recorded exchange, and one for each request beyond the recording. */
export const replayChecks = (
  recorded: readonly SafeExchange[],
  { replayed, beyond, exchanges }: ReplayServer,
  redactor: Redactor
): Check[] => [
  ...recorded.map((exchange): Check => ({
    ...common(`${exchange.number}-${nameOf(exchange)}`, 'recorded exchanges'),
    title: `Exchange ${exchange.number} (${nameOf(exchange)}) of the recording was asked for again.`,
    status: replayed.has(exchange.number) ? 'passed' : 'not-exercised',
    outcome: replayed.has(exchange.number) ? 'replayed' : 'not asked for',
    detail: (replayed.get(exchange.number) ?? 0) > 1 ? `${replayed.get(exchange.number)} times` : ''
  })),
  ...beyond.map((call): Check => ({
    ...common(`beyond-${call.number}-${methodOf(call) ?? call.method}`, 'beyond the recording'),
    title: `Request ${call.number} (${redactor.text(methodOf(call) ?? call.method)}) is not in the recording, or ` +
      'only a part of its reply is.',
    status: 'failed',
    outcome: 'not in the recording',
    detail: '',
    exchanges: exchanges
      .filter(({ number }) => number === call.number)
      .map((exchange) => toSafeExchange(exchange, redactor))
  }))
]

const common = (id: string, group: string) =>
  ({
    id: id.replaceAll(/[^\w/.-]/g, ''),
    group,
    level: 'MUST',
    clauses: [],
    exchanges: []
  }) as const satisfies Partial<Check>

const nameOf = ({ method, body }: SafeExchange): string =>
  isObject(body) ? (typeof body['method'] === 'string' ? body['method'] : 'response') : method
