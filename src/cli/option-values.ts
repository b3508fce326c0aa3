/** Options that several commands have, and the parsers of their values, which refuse with a sentence on the form. */
import { InvalidArgumentError, Option, type Command } from 'commander'

export const USER = ['--user <user>', 'id or e-mail address'] as const
export const WORKSPACE = ['--workspace <workspace>', 'id or slug'] as const
export const YES = ['--yes', 'do not ask'] as const

export const USER_OR_ADMINISTRATOR = 'id or e-mail address; default: the only server administrator'

export const ALLOW_HTTP = 'allow sending a credential to another machine over plain http'

/** The seconds of a duration such as `90d`. */
export const lifetime = (text: string): number => duration(text) ?? invalid('Say how long as 90d, 12h, 30m or 1y.')

/** The RFC 3339 time of a time, a date, or a duration before now. */
export const moment = (text: string): string => {
  const back = duration(text)
  if (back !== undefined) return new Date(Date.now() - back * 1000).toISOString()
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  return isTime && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : invalid('Give a time (2026-07-28T09:30:00Z), a date, or how long ago (24h, 7d).')
}

export const limit = (text: string): number => whole(text, 1, 10_000) ?? invalid('Give a number from 1 to 10000.')

/** A port, as text: the configuration parses it. */
export const port = (text: string): string =>
  whole(text, 0, 65_535) === undefined ? invalid('Give a number from 0 to 65535.') : text

const whole = (text: string, min: number, max: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const invalid = (message: string): never => {
  throw new InvalidArgumentError(message)
}

export const seconds = (text: string): number =>
  whole(text, 1, 86_400) ?? invalid('Give a number of seconds from 1 to 86400.')

export const collect = (value: string, before: string[] = []): string[] => [...before, value]

/** Parses a factor from 0.1 to 1000; 0 is as fast as possible. */
export const speed = (text: string): number => {
  const factor = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : NaN
  if (factor === 0) return Infinity
  return factor >= 0.1 && factor <= 1000 ? factor : invalid('Give a factor from 0.1 to 1000, or 0 for no pauses.')
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 }
const CENTURY = 100 * 31_536_000

/** In seconds; undefined unless it is between one second and a century. */
function duration (text: string): number | undefined {
  const [, count, unit] = /^(\d{1,10})([smhdwy])$/.exec(text) ?? []
  const seconds = Number(count) * (SECONDS[unit ?? ''] ?? NaN)
  return seconds >= 1 && seconds <= CENTURY ? seconds : undefined
}

export const reportFiles = (command: Command): Command => command
  .option('--report <format=file>', 'write the report: junit, sarif, html, json, markdown or badge; may be repeated',
    collect)
  .option('--baseline <file>', 'known failures, which do not count; those that no longer fail do')
  .option('--compare <file>', 'a JSON report of an earlier run: say which checks differ from it')

export const reporting = (command: Command): Command => reportFiles(command)
  .addOption(new Option('--fail-on <level>', 'which failures make the exit code 1').choices(['must', 'should', 'never'])
    .default('must'))
  .option('--all', 'print passed checks too')
