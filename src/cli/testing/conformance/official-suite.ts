/** Runs the official conformance suite, fetched at a pinned version, and reads its results. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../../config/config.js'
import { Refusal } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'

export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
/** The suite does not start on Node 20. */
const NODE = 'node@24'

/** The revisions that the suite has requirements for. */
export const SUITE_REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** The scenarios about skills, of 2026-07-28. The requirements of no revision have them, so each is run by its name. */
export const SKILL_SCENARIOS = ['sep-2640-skills-enumeration', 'sep-2640-skills-directory', 'sep-2640-skills-manifest']

export interface Scenario {
  name: string
  revision: string
  passed: number
  failed: number
  warnings: number
  skipped: number
  /** The failed checks and the warnings. */
  complaints: string[]
  /** The server lacks what the scenario uses, so its checks say nothing and are not counted. */
  lacksFixture?: true
  /** Why the scenario does not count towards conformance, such as `extension` or `pending`. */
  notScored?: string
}

interface ScenarioCheck { id: string, status: string, errorMessage?: string }

/**
 * Runs all scenarios that one revision requires, or the one that is named.
 * @param url of the endpoint; it is passed without a shell
 * @param env the environment, of which npx gets only the variables that it needs
 * @throws {Refusal} when npx or the suite does not start
 */
export const runSuite = async (
  url: string, revision: string, env: Environment, named?: string
): Promise<Scenario[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    // By force, as an extension belongs to no revision.
    const chosen =
      named === undefined ? ['--requirements', revision] : ['--scenario', named, '--spec-version', revision, '--force']
    const printed = await run(['-y', '-p', NODE, '-p', SUITE, '--',
      'conformance', 'server', '--url', url, ...chosen, '--output-dir', folder], env)
    const notScored = new Map(
      [...printed.matchAll(/^\s+\S ([\w-]+) \(([\w-]+)\)$/gm)].map(([, name = '', reason = '']) => [name, reason])
    )
    if (named !== undefined) notScored.set(named, 'extension')
    const scenarios = await Promise.all(
      (await readdir(folder)).map((entry) => read(join(folder, entry), entry, revision, notScored))
    )
    if (scenarios.length === 0) {
      throw new Refusal(`The suite did not run:\n${printed.trim().split('\n').slice(-10).join('\n')}`)
    }
    return scenarios.sort((one, other) => one.name.localeCompare(other.name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// The suite is a program of others: it gets what npm and Node.js need, and no secrets.
const PASSED_ON = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TZ|TE?MP|TMPDIR|NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy)$/i,
  /^(?:SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec|PATHEXT)$/i,
  /^npm_config_(?!.*(?:auth|token|password))\w+$/i
]

const passedOn = (env: Environment): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.some((form) => form.test(name))))

const MAX_PRINTED = 1_000_000

/** What the command printed, whatever its exit code: the results are in its files. */
const run = (args: string[], env: Environment): Promise<string> => new Promise((resolve, reject) => {
  const npx = spawn('npx', args, { env: passedOn(env), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [npx.stdout, npx.stderr]) {
    stream.setEncoding('utf8').on(
      'data', (text: string) => { if (printed.length < MAX_PRINTED) printed += text }
    )
  }
  npx.once(
    'error',
    () => reject(new Refusal('npx cannot be started: the suite is fetched and run by it. Install Node.js with npm.'))
  )
  npx.once('close', () => resolve(printed))
})

/** A scenario that threw leaves a folder and no checks. */
const UNFINISHED: readonly ScenarioCheck[] = [{
  id: 'unfinished', status: 'FAILURE', errorMessage: 'the scenario did not come to its end'
}]

const parseChecks = (text: string): ScenarioCheck[] => {
  const entries: unknown = JSON.parse(text)
  return (Array.isArray(entries) ? entries.filter(isObject) : []).map(({ id, status, errorMessage }) => ({
    id: String(id), status: String(status), ...(typeof errorMessage === 'string' && { errorMessage })
  }))
}

const read = async (
  folder: string, entry: string, revision: string, notScored: ReadonlyMap<string, string>
): Promise<Scenario> => {
  const checks = await readFile(join(folder, 'checks.json'), 'utf8').then(parseChecks, () => UNFINISHED)
  const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
  const count = (status: string): number => checks.filter((check) => check.status === status).length
  const reason = notScored.get(name)
  return {
    name,
    revision,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
    complaints: checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => errorMessage === undefined ? id : `${id}: ${errorMessage}`),
    ...(reason !== undefined && { notScored: reason })
  }
}
