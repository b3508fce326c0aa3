/** Runs a client through the official suite's scenarios and through `grade`, and sets the verdicts side by side. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newerNode } from '../newer-node.mjs'
import { LEFT_OUT, SCENARIOS } from './scenarios.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = process.env.MATRIX_CLI ?? join(ROOT, 'dist/cli.js')
const BUFFER = { maxBuffer: 64 * 1024 * 1024 }

/** Resolves with what the program printed, whatever its exit code: verdicts are in files. */
const run = (command, args, env = process.env) => new Promise((resolve) => {
  execFile(command, args, { cwd: ROOT, env, ...BUFFER }, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`))
})

/** The scenarios that the suite lists and this comparison says nothing about. */
export const unknownScenarios = async () => [...(await run('conformance', ['list', '--client'], newerNode())).matchAll(/^\s+- (\S+) \[/gm)]
  .map(([, name]) => name).filter((name) => !LEFT_OUT.test(name) && !(name in SCENARIOS))

/** One scenario; the verdict is that of its checks. */
const playScenario = async (client, scenario, revision) => {
  const folder = await mkdtemp(join(tmpdir(), 'cross-check-'))
  try {
    const printed = await run('conformance', ['client', '--command', client.command.join(' '), '--scenario', scenario,
      '--spec-version', revision, '--force', '--timeout', '30000', '--output-dir', folder], newerNode())
    const file = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('checks.json'))
    if (file === undefined) throw new Error(`The suite did not run ${scenario}:\n${printed.slice(-1000)}`)
    const checks = JSON.parse(await readFile(join(folder, file), 'utf8'))
    const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    return { verdict: wrong.length > 0 ? 'failed' : 'passed', detail: wrong.map(({ id }) => id).join(', ') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const gradeClient = async (client, ids, ...options) => {
  const folder = await mkdtemp(join(tmpdir(), 'cross-check-'))
  const file = join(folder, 'report.json')
  try {
    const printed = await run(process.execPath, [CLI, 'grade', ...options, '--profile', ids.join(','), '--fail-on', 'never', '--report', `json=${file}`, '--', ...client.command], newerNode())
    const { checks } = JSON.parse(await readFile(file, 'utf8').catch(() => { throw new Error(`grade made no report:\n${printed.slice(-1000)}`) }))
    return new Map(checks.map((check) => [check.id, check]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Profiles among the checks: they are asked for by name, rules are judged in every run. */
const PROFILES = ['stream-closed-with-retry', 'elicitation', 'input-required', 'input-required-twice', 'input-required-stateless',
  'skill-prefetch-trap', 'skill-digest-wrong', 'skill-size-wrong', 'skill-front-matter-wrong']

/** The verdict of several checks: failed when one is, passed when one is and none failed. */
const verdictOf = (checks) => checks.some(({ status }) => status === 'failed') ? 'failed' : checks.some(({ status }) => status === 'passed') ? 'passed' : 'not exercised'

/** Returns one row for each scenario of the revision that the client speaks and `grade` judges too. */
export const compareClient = async (client) => {
  const authorization = await gradeClient(client, ['all'], '--authorization')
  const graded = await gradeClient(client, PROFILES)
  const rows = []
  for (const [scenario, { revisions, clients = [client.id], checks }] of Object.entries(SCENARIOS)) {
    if (!checks || !revisions.includes(client.revision) || !clients.includes(client.id)) continue
    const suite = await playScenario(client, scenario, client.revision)
    const grade = verdictOf(checks.map((id) => (scenario.startsWith('auth/') ? authorization : graded).get(id)).filter(Boolean))
    rows.push({ client: client.id, title: client.title, scenario, suite, grade, key: `${client.id} ${scenario}`, agrees: grade === suite.verdict })
  }
  return rows
}
