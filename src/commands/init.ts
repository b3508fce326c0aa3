/** `init`: a token for this machine, kept for its user alone, and the coding agents on it registered with it and tried out. */
import { resolve } from 'node:path'
import type { Scope } from '../coding-agents/registry/agent.js'
import { holdCredentials, readCredentials, serverIn, tokenIn, type Stored, type StoredServer, type StoredToken } from '../coding-agents/credentials/credentials-file.js'
import { enrol, type Entry } from '../coding-agents/install/install.js'
import { earlierOf, enrolmentsOf, isSame, planEnrolment, verifier, type Enrolment } from '../coding-agents/install/installation.js'
import { PLACEHOLDER_TOKEN } from '../coding-agents/install/entry-template.js'
import type { Issuer } from '../coding-agents/credentials/issuer.js'
import { endRetired } from '../coding-agents/credentials/retire.js'
import { rotate } from '../coding-agents/credentials/rotation.js'
import { VARIABLE, wayOf } from '../coding-agents/credentials/secret-strategy.js'
import { Refusal } from '../lib/errors.js'
import { chooseAgents, type Chosen } from './choose-agents.js'
import { requireConsent } from './confirm.js'
import { report, showPlan, type Outcome } from './init-report.js'
import { serverFor, type Server } from './resolve-server.js'
import type { Run } from './command-handler.js'
import type { Surroundings } from './cli-context.js'

export interface Options {
  agent?: string[]
  scope: Scope
  name: string
  yes?: true
  dryRun?: true
  url?: string
  tokenFile?: string
  user?: string
  perAgent?: boolean
  reference?: boolean
  rotate?: true
  allowHttp?: true
}

type Asked = Options & { json: boolean }
type Tokens = Map<string, StoredToken>

export const init: Run<Options> = async (options, surroundings, flags) => {
  requireSense(options)
  const known = await readCredentials(surroundings.machine)
  const stop = new AbortController()
  const server = await serverFor(options, surroundings, flags, known, stop.signal)
  const url = server.url.href
  if (options.rotate) return renew(options, surroundings, server, known, stop)

  const kept = known.servers[url]
  if (Object.keys(kept?.next ?? {}).length > 0) throw new Refusal('A rotation was interrupted: finish it with init --rotate first.')
  const chosen = chooseAgents(options.agent, surroundings.machine)
  const enrolments = enrolmentsFor(options, surroundings, url, chosen, known)
  const tokens = await usable(enrolments, kept, server.issuer, options.user)
  // Others that use a token which does not work any more get the new one too.
  for (const enrolment of kept ? enrolmentsOf(kept) : []) {
    const meant = enrolments.some((one) => one.token === enrolment.token && !tokens.has(one.token))
    if (meant && !enrolments.some((one) => isSame(one, enrolment))) enrolments.push(enrolment)
  }
  const entries = await planned(enrolments, tokens, known, chosen, surroundings)
  const changes = entries.filter(({ plan }) => plan.diff !== '' || plan.exposed)
  const { dryRun = false, allowHttp } = options
  const outcome: Outcome = { url, entries, chosen, tokens, dryRun, local: server.local, allowHttp }
  if (!options.json) {
    const fresh = [...new Set(changes.map(({ enrolment }) => enrolment.token))].filter((name) => !tokens.has(name))
    const owner = fresh.length > 0 ? await server.issuer.owner() : undefined
    showPlan(surroundings, entries, fresh.map((name) => `the token ${name}${owner === undefined ? '' : ` of ${owner}`}`))
  }
  if (options.dryRun) return report(options, surroundings, outcome)
  if (changes.length > 0 && !options.yes) await requireConsent(surroundings, questionFor(changes.length))

  surroundings.onStop(() => stop.abort())
  const held = await holdCredentials(surroundings.machine)
  try {
    await enrol(outcome, held, server.issuer, surroundings.machine)
  } finally {
    await held.release()
  }
  return report(options, surroundings, outcome)
}

function requireSense ({ rotate, agent, tokenFile, perAgent, json, yes, dryRun, name }: Asked): void {
  if (rotate && agent) throw new Refusal('A rotation changes every agent that uses the token: leave --agent out.')
  if (tokenFile !== undefined && perAgent) throw new Refusal('--per-agent makes a token for each agent: leave --token-file out.')
  if (json && !yes && !dryRun) throw new Refusal('With --json nobody is asked: add --yes, or --dry-run to see what would change.')
  if (!/^[A-Za-z][\w-]{0,63}$/.test(name)) throw new Refusal('--name is a word of letters, digits, - and _ that begins with a letter.')
  if (name.toLowerCase() === 'workspace') throw new Refusal('Some agents keep the name "workspace" for themselves: choose another.')
}

const questionFor = (files: number): string => `Change ${files === 1 ? 'this file' : `these ${files} files`}?`

/** What is not said stays as it was at an earlier time. */
function enrolmentsFor (options: Options, { machine }: Surroundings, url: string, { agents }: Chosen, known: Stored): Enrolment[] {
  const { scope, name, perAgent, reference } = options
  // Networks give names too: it is the name of a token, and part of a file's.
  const host = machine.hostname.slice(0, 100).replaceAll(/[^\w.-]/g, '-')
  return agents.map((agent) => {
    const place = { agent, name, url, scope, projectFolder: resolve(machine.folder) }
    const earlier = earlierOf(known, place)
    return {
      ...place,
      way: reference === undefined && earlier ? earlier.registration.secret : wayOf(agent, scope, reference === true),
      token: perAgent === undefined && earlier?.url === url ? earlier.token : perAgent ? `${agent.id}@${host}` : host
    }
  })
}

/** Those tokens that are kept and work, or that were given; what the server does not deny is taken to work. */
async function usable (enrolments: readonly Enrolment[], kept: StoredServer | undefined, issuer: Issuer, user?: string): Promise<Tokens> {
  const tokens: Tokens = new Map()
  const owner = user === undefined ? undefined : await issuer.owner()
  for (const name of new Set(enrolments.map(({ token }) => token))) {
    const old = tokenIn(kept?.tokens ?? {}, name)
    const expired = Date.parse(old?.expires_at ?? '9999-12-31') <= Date.now()
    const works = old !== undefined && !expired && await issuer.works(old) !== false
    const given = issuer.given && await issuer.mint(name)
    if (given && works && given.token !== old.token && kept?.registrations.some(({ token }) => token === name)) {
      throw new Refusal('Agents on this machine use another token of this server: put this one in its place with init --rotate --token-file.')
    }
    if (works && owner !== undefined && old.user !== owner) {
      throw new Refusal(`The token that this machine has belongs to ${old.user ?? 'somebody else'}: put one of ${owner} in its place with init --rotate --user.`)
    }
    if (given || works) tokens.set(name, given ?? old!)
  }
  return tokens
}

async function planned (
  enrolments: readonly Enrolment[], tokens: ReadonlyMap<string, StoredToken>, known: Stored, { named }: Chosen, { machine }: Surroundings
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const enrolment of enrolments) {
    const plan = await planEnrolment(enrolment, tokens.get(enrolment.token)?.token ?? PLACEHOLDER_TOKEN, known, machine)
    // That an agent has nothing for projects is no failure where it was only found.
    const skipped = !named && plan.problem !== undefined && ['no_project_file', 'no_such_secret', 'secret_in_project'].includes(plan.problem.reason)
    entries.push({ enrolment, plan, skipped })
  }
  return entries
}

async function renew (options: Asked, surroundings: Surroundings, server: Server, known: Stored, stop: AbortController): Promise<void> {
  const { machine } = surroundings
  const { url: { href: url }, issuer } = server
  const kept = known.servers[url]
  if (!kept || kept.registrations.length === 0) throw new Refusal('There is nothing to rotate for this server: run init first.')
  if (issuer.given) await requireOther(issuer, kept)
  const entries: Entry[] = []
  for (const enrolment of enrolmentsOf(kept)) {
    entries.push({ enrolment, plan: await planEnrolment(enrolment, PLACEHOLDER_TOKEN, known, machine), skipped: false })
  }
  const names = Object.keys(kept.tokens)
  if (!options.json) showPlan(surroundings, entries, names.map((name) => `a new token ${name} in place of the old one`))
  const tokens: Tokens = new Map(Object.entries(kept.tokens))
  const chosen: Chosen = { agents: [], instructed: [], named: true }
  const outcome: Outcome = { url, entries, chosen, tokens, dryRun: options.dryRun === true, local: false }
  if (options.dryRun) return report(options, surroundings, outcome)
  if (!options.yes) await requireConsent(surroundings, questionFor(entries.length))

  surroundings.onStop(() => stop.abort())
  const held = await holdCredentials(machine)
  try {
    // What variables are set to here are old tokens.
    const env = Object.fromEntries(Object.entries(machine.env).filter(([name]) => !name.startsWith(VARIABLE)))
    const verify = verifier({ ...machine, env })
    const rotated = await rotate({ url, held, issuer, machine, verify })
    for (const [index, entry] of entries.entries()) Object.assign(entry, rotated[index])
    outcome.tokens = new Map(Object.entries(serverIn(held.stored, url).tokens))
    outcome.ended = await endRetired(held, url, issuer)
  } finally {
    await held.release()
  }
  return report(options, surroundings, outcome)
}

async function requireOther (issuer: Issuer, { tokens }: StoredServer): Promise<void> {
  if (Object.keys(tokens).length > 1) throw new Refusal('Each agent has a token of its own here: rotate without --token-file.')
  const { token } = await issuer.mint('')
  if (Object.values(tokens).some((old) => old.token === token)) throw new Refusal('The agents use this very token already.')
}
