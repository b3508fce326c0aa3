/** What a client did with a replayed recording, as checks. */
import { methodOf } from '../proxy/exchange.js'
import { toSafeExchange, type Redactor } from '../redact.js'
import { createCheck, type Check, type SafeExchange } from '../reports/report.js'
import { isObject } from '../../lib/json/json-object.js'
import type { ReplayServer } from './replay-server.js'

/** Creates the check of a recorded exchange. `title` gets the name of its request; `ofResponse`: that of an answer. */
export const exchangeCheck = (
  { number, method, body }: SafeExchange, title: (name: string) => string,
  rest: Pick<Check, 'status' | 'outcome'> & Partial<Check>, ofResponse = method
): Check => {
  const name = isObject(body) ? (typeof body['method'] === 'string' ? body['method'] : ofResponse) : method
  return createCheck({ id: idFrom(`${number}-${name}`), group: 'recorded exchanges', title: title(name), ...rest })
}

const idFrom = (text: string): string => text.replaceAll(/[^\w/.-]/g, '')

/** Returns one check for each recorded exchange, and one for each request beyond the recording. */
export const replayChecks = (
  recorded: readonly SafeExchange[],
  { replayed, beyond, exchanges }: ReplayServer,
  redactor: Redactor
): Check[] => [
  ...recorded.map((exchange) => {
    const times = replayed.get(exchange.number) ?? 0
    return exchangeCheck(
      exchange, (name) => `Exchange ${exchange.number} (${name}) of the recording was asked for again.`, {
        status: times > 0 ? 'passed' : 'not-exercised',
        outcome: times > 0 ? 'replayed' : 'not asked for',
        detail: times > 1 ? `${times} times` : ''
      }, 'response')
  }),
  ...beyond.map((call) => {
    const name = methodOf(call) ?? call.method
    return createCheck({
      id: idFrom(`beyond-${call.number}-${name}`),
      group: 'beyond the recording',
      title: `Request ${call.number} (${redactor.text(name)}) is not in the recording, or only a part of its reply is.`,
      status: 'failed',
      outcome: 'not in the recording',
      exchanges: exchanges.filter(({ number }) => number === call.number)
        .map((exchange) => toSafeExchange(exchange, redactor))
    })
  })
]
