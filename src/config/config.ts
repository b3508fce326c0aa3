/** Environment and flags become one frozen configuration, checked by schemas/config.json. */
import { readFileSync } from 'node:fs'
import type { FromSchema } from 'json-schema-to-ts'
import schema from '#schemas/config.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import { lazyValidator } from '../lib/schema/validator.js'
import { parseTrustProxy } from './trust-proxy.js'
import { unreadable } from '../lib/error-code.js'
import { keysOf } from '../lib/json/json-object.js'
import { refuseRemovedSettings } from './removed-settings.js'

/** Bounds that are no settings, as no deployment needs others; in the configuration, tests can give others. */
export const BOUNDS = {
  /** Milliseconds that a gateway waits for an answer of its platform, however often it asks. */
  platformTimeoutMs: 10_000,
  /** Applications that have registered themselves, in all. */
  oauthMaxClients: 10_000,
  /** Largest request body in bytes. */
  bodyLimitBytes: 131_072,
  /** Milliseconds of mean delay of the event loop above which requests beyond 20 a second are refused with 503. */
  overloadDelayMs: 1000,
  /** Wrong credentials of one address per minute. */
  failedAuthPerMinute: 60,
  /** Device codes that one address may ask for per minute; it may poll six times as often. */
  deviceAuthorizationsPerMinute: 20
} as const

export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>
type Settings = FromSchema<typeof schema>
export type Config = Readonly<Settings> & Bounds
export type Setting = keyof typeof schema.properties

export type Environment = Readonly<Record<string, string | undefined>>
export type Flags = Readonly<Partial<Record<Setting, string | boolean | undefined>> & {
  /** The file that holds databaseUrl: a password in an option could be read by everybody on the machine. */
  databaseUrlFile?: string | undefined
}>

export const SETTINGS = keysOf(schema.properties)

const defaults = (): Partial<Settings> => structuredClone(Object.fromEntries(Object.entries(schema.properties)
  .flatMap(([name, property]) => 'default' in property ? [[name, property.default]] : [])))

/** Compiled one by one: compiling all would take a twentieth of a server's start. */
const checks = new Map(SETTINGS.map((setting) =>
  [setting, lazyValidator<Partial<Settings>>({ properties: { [setting]: schema.properties[setting] } }, 'every')]))

/** `rateLimitPatPerDay` → `RATE_LIMIT_PAT_PER_DAY` */
export const variable = (setting: string): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

/** Flags override the environment, which overrides the defaults. @throws {Refusal} with one line per fault */
export function readConfig (env: Environment, flags: Flags = {}): Config {
  requireNoPassword(flags)
  refuseRemovedSettings(flags.embedder === undefined ? env : { ...env, EMBEDDER: String(flags.embedder) })
  const faults: string[] = []
  const given = SETTINGS.map((setting): Partial<Settings> => {
    const text = flags[setting] ?? fileOfFlag(setting, flags) ?? (env[variable(setting)] || secretFile(setting, env))
    if (text === undefined || text === '') return {}
    const checked = checks.get(setting)!({ [setting]: valueOf(setting, text) })
    if (checked.ok) return checked.value
    faults.push(...checked.faults.map((fault) => `${sourceOf(setting, flags)}${fault.slice(setting.length)}.`))
    return {}
  })
  if (faults.length > 0) throw new Refusal(faults.join('\n'))
  // Each setting was checked, and those without a value are optional.
  const config = Object.assign(defaults(), BOUNDS, ...given) as Config
  parseTrustProxy(config.trustProxy)
  for (const value of Object.values(config)) Object.freeze(value)
  return Object.freeze(config)
}

const BOOLEANS = new Map<string, boolean>([['true', true], ['1', true], ['false', false], ['0', false]])

/** Converts a text to the schema's type. A text that does not fit stays a text, so that the schema refuses it. */
function valueOf (setting: Setting, text: string | boolean): unknown {
  if (typeof text === 'boolean') return text
  switch (schema.properties[setting].type) {
    case 'integer': return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean': return BOOLEANS.get(text.toLowerCase()) ?? text
    case 'array': {
      // A secret may contain a comma.
      const separator = 'writeOnly' in schema.properties[setting] ? '\n' : ','
      return text.split(separator).map((item) => item.trim()).filter((item) => item !== '')
    }
    case 'string': return text
  }
}

const PASSWORD_IN_URL = /^[^:]*:\/\/[^@/?#]*:[^@/?#]*@|[?&](?:password|sslpassword)=/

function requireNoPassword ({ databaseUrl, databaseUrlFile }: Flags): void {
  if (databaseUrl !== undefined && databaseUrlFile !== undefined) {
    throw new Refusal('Give --database-url or --database-url-file, not both.')
  }
  if (typeof databaseUrl === 'string' && PASSWORD_IN_URL.test(databaseUrl)) {
    throw new Refusal('A password in --database-url can be read by everybody on this machine, in the list of ' +
      'processes: set DATABASE_URL, name a file that holds the URL with --database-url-file (or DATABASE_URL_FILE), ' +
      'or leave the password to PGPASSFILE.')
  }
}

const fileOfFlag = (setting: Setting, { databaseUrlFile }: Flags): string | undefined =>
  setting === 'databaseUrl' && databaseUrlFile !== undefined
    ? readSecret('--database-url-file', databaseUrlFile)
    : undefined

function secretFile (setting: Setting, env: Environment): string | undefined {
  const name = `${variable(setting)}_FILE`
  const path = env[name]
  if (!path || !('writeOnly' in schema.properties[setting])) return undefined
  return readSecret(name, path)
}

function readSecret (name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Refusal(unreadable(`${path} (${name})`, error))
  }
}

function sourceOf (setting: Setting, flags: Flags): string {
  const name = variable(setting)
  return flags[setting] === undefined ? name : `--${name.toLowerCase().replaceAll('_', '-')}`.replace(/^--data-dir$/, '--data')
}
