/** Runs scenarios of the official conformance suite, fetched at a pinned version, and reads their results. */
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

export const SUITE_REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** The scenarios about skills, of 2026-07-28. The requirements of no revision have them. */
export const SKILL_SCENARIOS = ['sep-2640-skills-enumeration', 'sep-2640-skills-directory', 'sep-2640-skills-manifest']

export interface ListedScenario {
  name: string
  revision: string
  /** Why the scenario does not count towards conformance, such as `extension` or `pending`. */
  notScored?: string
}

export interface Scenario extends ListedScenario {
  passed: number
  failed: number
  warnings: number
  skipped: number
  complaints: string[]
  /** What the server lacks, for a scenario that it was not asked. */
  notExercised?: string
}

interface ScenarioCheck { id: string, status: string, errorMessage?: string }

/** Fetches the suite. Returns the environment in which its command starts: only variables that it needs. */
export const fetchSuite = async (env: Environment): Promise<Environment> => {
  const own = passedOn(env)
  const words = ['-y', '-p', NODE, '-p', SUITE, '--', 'node', '-p', 'process.env.PATH']
  const { stdout, stderr } = await run('npx', words, own).catch(() => {
    throw new Refusal('npx cannot be started: the suite is fetched and run by it. Install Node.js with npm.')
  })
  const path = stdout.trim().split('\n').at(-1)
  if (!path) throw new Refusal(`npx did not fetch the suite:\n${stderr.trim()}`)
  return { ...own, PATH: path }
}

/** Returns the server scenarios that a revision requires or only reports, and those about skills. */
export const listScenarios = async (suite: Environment, revision: string): Promise<ListedScenario[]> => {
  const { stdout, stderr } = await run('conformance', ['list', '--server', '--requirements', revision], suite)
  const [required = '', , reported = ''] = stdout.split(/^(?:Client scenarios|Run and reported).*$/m)
  const names = [...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => ({ name, revision }))
  if (names.length === 0) throw new Refusal(`The suite did not run:\n${stderr.trim()}`)
  return [
    ...names,
    ...reported.split(/^ {2}(?=\S)/m).flatMap((part) => [...part.matchAll(/^ {4}- (\S+) \[server\]$/gm)]
      .map(([, name = '']) => ({ name, revision, notScored: /^\S+/.exec(part)?.[0] ?? '' }))),
    ...revision === '2026-07-28' ? SKILL_SCENARIOS.map((name) => ({ name, revision, notScored: 'extension' })) : []
  ]
}

/** Runs scenarios of one revision; with `isWhole` all that it requires or reports, in one process. */
export const runScenarios = async (
  suite: Environment, url: string, scenarios: readonly ListedScenario[], isWhole: boolean
): Promise<Scenario[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const ask = (words: string[]) =>
    run('conformance', ['server', '--url', url, '--output-dir', folder, ...words], suite)
  try {
    const isExtra = ({ name }: ListedScenario): boolean => !isWhole || SKILL_SCENARIOS.includes(name)
    if (isWhole) await ask(['--requirements', scenarios[0]?.revision ?? ''])
    // By force, as an extension belongs to no revision.
    for (const { name, revision } of scenarios.filter(isExtra)) {
      await ask(['--scenario', name, '--spec-version', revision, '--force'])
    }
    const entries = await readdir(folder)
    return await Promise.all(scenarios.map(async (scenario) => {
      const own = entries.find((entry) =>
        entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '') === scenario.name)
      return read(scenario, own === undefined ? undefined : join(folder, own, 'checks.json'))
    }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// The suite is a program of others: it gets what npm and Node.js need, and no secrets.
const PASSED_ON = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TZ|TE?MP|TMPDIR|(?:https?|no)_proxy)$/i,
  /^NODE_(?:EXTRA_CA_CERTS|COMPILE_CACHE)$/i,
  /^(?:SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec|PATHEXT)$/i,
  /^npm_config_(?!.*(?:auth|token|password))\w+$/i
]

const passedOn = (env: Environment): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.some((form) => form.test(name))))

const MAX_PRINTED = 1_000_000

/** What the command printed, whatever its exit code: the results are in its files. Rejects when it does not start. */
const run = (
  command: string, args: string[], env: Environment
): Promise<{ stdout: string, stderr: string }> => new Promise((resolve, reject) => {
  const program = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    program[stream].setEncoding('utf8').on(
      'data', (text: string) => { if (printed[stream].length < MAX_PRINTED) printed[stream] += text }
    )
  }
  program.once('error', reject)
  program.once('close', () => resolve(printed))
})

/** A scenario that threw leaves no checks. */
const UNFINISHED: readonly ScenarioCheck[] = [{
  id: 'unfinished', status: 'FAILURE', errorMessage: 'the scenario did not come to its end'
}]

const parseChecks = (text: string): ScenarioCheck[] => {
  const entries: unknown = JSON.parse(text)
  return (Array.isArray(entries) ? entries.filter(isObject) : []).map(({ id, status, errorMessage }) => ({
    id: String(id), status: String(status), ...(typeof errorMessage === 'string' && { errorMessage })
  }))
}

const read = async (scenario: ListedScenario, file: string | undefined): Promise<Scenario> => {
  const checks = file === undefined ? UNFINISHED : await readFile(file, 'utf8').then(parseChecks, () => UNFINISHED)
  const count = (status: string): number => checks.filter((check) => check.status === status).length
  return {
    ...scenario,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
    complaints: checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => errorMessage === undefined ? id : `${id}: ${errorMessage}`)
  }
}
