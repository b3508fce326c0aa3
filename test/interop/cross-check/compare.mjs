/** Runs a client through the official suite's scenarios and through `grade`, and sets the verdicts side by side. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newerNode } from '../newer-node.mjs'
import { commandsIn } from '../product.mjs'
import { COMMAND, startHost } from './host.mjs'
import { LEFT_OUT, SCENARIOS } from './scenarios.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BUFFER = { maxBuffer: 64 * 1024 * 1024 }

/** Resolves with what the program printed, whatever its exit code: verdicts are in files. */
const run = (command, args, env = process.env) => new Promise((resolve) => {
  execFile(command, args, { cwd: ROOT, env, ...BUFFER }, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`))
})

/** The scenarios that the suite lists and this comparison says nothing about. */
export const unknownScenarios = async () => [...(await run('conformance', ['list', '--client'], newerNode())).matchAll(/^\s+- (\S+) \[/gm)]
  .map(([, name]) => name).filter((name) => !LEFT_OUT.test(name) && !(name in SCENARIOS))

/**
 * Plays scenarios, and answers for each the verdict of its checks. The suite plays all of a revision in one process, in
 * which a client that does nothing stands for those that are not asked for; extensions have a process each.
 */
const playScenarios = async (host, scenarios, revision) => {
  const folder = await mkdtemp(join(tmpdir(), 'cross-check-'))
  const env = { ...newerNode(), ...host.env }
  const isExtension = (name) => name.startsWith('sep-2640-')
  const play = (...options) => run('conformance', ['client', ...options, '--spec-version', revision, '--timeout', '900000', '--output-dir', folder], env)
  try {
    // The suite puts the address at the end.
    const only = `play() { case $MCP_CONFORMANCE_SCENARIO in ${scenarios.join('|')}) exec ${COMMAND.join(' ')} "$1";; esac; }; play`
    const printed = await Promise.all([
      play('--suite', 'all', '--command', only),
      ...scenarios.filter(isExtension).map((scenario) => play('--scenario', scenario, '--force', '--command', COMMAND.join(' ')))
    ])
    const files = await readdir(folder, { recursive: true })
    return new Map(await Promise.all(scenarios.map(async (scenario) => {
      const file = files.find((name) => name.startsWith(`${scenario}-20`) && name.endsWith('checks.json'))
      if (file === undefined) throw new Error(`The suite did not run ${scenario}:\n${printed.join('').slice(-1000)}`)
      const checks = JSON.parse(await readFile(join(folder, file), 'utf8'))
      const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      return [scenario, { verdict: wrong.length > 0 ? 'failed' : 'passed', detail: wrong.map(({ id }) => id).join(', ') }]
    })))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const gradeClient = async (host, ids, ...options) => {
  const folder = await mkdtemp(join(tmpdir(), 'cross-check-'))
  const file = join(folder, 'report.json')
  try {
    const args = ['grade', ...options, '--profile', ids.join(','), '--fail-on', 'never', '--report', `json=${file}`, '--', ...COMMAND]
    const { out, err } = await commandsIn(folder, { folder: ROOT, env: { ...newerNode(), ...host.env } }).run(args)
    const { checks } = JSON.parse(await readFile(file, 'utf8').catch(() => { throw new Error(`grade made no report:\n${out}${err}`) }))
    return new Map(checks.map((check) => [check.id, check]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Profiles among the checks: they are asked for by name, rules are judged in every run. */
const PROFILES = ['stream-closed-with-retry', 'elicitation', 'input-required', 'input-required-twice', 'input-required-stateless',
  'skill-prefetch-trap', 'skill-digest-wrong', 'skill-size-wrong', 'skill-front-matter-wrong']
const AUTHORIZATION_PROFILES = ['challenge-bare', 'metadata-openid', 'scope-step-up', 'scope-step-up-endless', 'resource-other',
  'authorization-server-changed', 'iss-missing', 'iss-wrong', 'iss-normalized', 'metadata-issuer-other']

/** The verdict of several checks: failed when one is, passed when one is and none failed. */
const verdictOf = (checks) => checks.some(({ status }) => status === 'failed') ? 'failed' : checks.some(({ status }) => status === 'passed') ? 'passed' : 'not exercised'

/** Returns one row for each scenario of the revision that the client speaks and `grade` judges too. */
export const compareClient = async (client) => {
  const compared = Object.entries(SCENARIOS).filter(([, { revisions, clients = [client.id], checks }]) =>
    checks && revisions.includes(client.revision) && clients.includes(client.id))
  const asked = (profiles) => profiles.filter((id) => compared.some(([, { checks }]) => checks.includes(id)))
  const host = await startHost(client)
  try {
    const authorization = await gradeClient(host, asked(AUTHORIZATION_PROFILES), '--authorization')
    const graded = await gradeClient(host, asked(PROFILES))
    const played = await playScenarios(host, compared.map(([scenario]) => scenario), client.revision)
    return compared.map(([scenario, { checks }]) => {
      const suite = played.get(scenario)
      const grade = verdictOf(checks.map((id) => (scenario.startsWith('auth/') ? authorization : graded).get(id)).filter(Boolean))
      return { client: client.id, title: client.title, scenario, suite, grade, key: `${client.id} ${scenario}`, agrees: grade === suite.verdict }
    })
  } finally {
    host.stop()
  }
}
