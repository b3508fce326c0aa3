/** `doctor`: what stands between this machine and a server, one check per line, with the remedy of each failure. */
import { checkRegistrations } from '../agents/check-registrations.js'
import { readCredentials, type Stored, type StoredServer } from '../agents/credentials-file.js'
import { examine } from '../agents/examine.js'
import { failed, skipped, type Check } from '../agents/finding.js'
import { sameEndpoint } from '../agents/same-endpoint.js'
import { readConfig, type Flags } from '../config.js'
import { Refusal } from '../errors.js'
import { checkPlatform } from './check-platform.js'
import { checkSearchIndex } from './check-search-index.js'
import { socketIn } from './data-folder.js'
import { readToken } from './given-token.js'
import { harmless, print } from './print.js'
import type { Run } from './run.js'
import { endpointAt, serverHere } from './server-here.js'
import type { Surroundings } from './surroundings.js'
import { baseOf } from './welcome.js'

interface Options { url?: string, tokenFile?: string }

const MARKS = { passed: '✔', warning: '!', failed: '✖', skipped: '–' }

export const doctor: Run<Options> = async ({ url: named, tokenFile, json }, surroundings, flags) => {
  const given = named === undefined ? undefined : endpointAt(named)
  const { env, stdin } = surroundings
  const token = tokenFile === undefined ? env['EXPLORATION_MCP_TOKEN']?.trim() || undefined : await readToken(tokenFile, stdin)
  const { stored, unreadable } = await credentials(surroundings)
  const here = await serverHere(surroundings, flags).catch(nowhere)
  const socket = socketIn(readConfig(env, flags).dataDir)

  const checks: Array<Check & { server: string, ok: boolean }> = []
  for (const url of given ? [given] : serversIn(stored, here, surroundings, flags)) {
    if (!json) surroundings.stdout.write(`${harmless(url.href)}\n`)
    const local = here && sameEndpoint(here, url) ? socket : undefined
    const known = Object.entries(stored.servers).find(([href]) => sameEndpoint(new URL(href), url))?.[1]
    for await (const check of checksOf({ url, token, stored: known, local }, surroundings, unreadable)) {
      checks.push({ server: url.href, ...check, ok: check.status !== 'failed' })
      if (!json) surroundings.stdout.write(`${lineOf(check)}\n`)
    }
  }
  const count = checks.filter(({ ok }) => !ok).length
  if (json) print({ ...surroundings, json }, { ok: count === 0, checks }, '')
  if (count > 0) throw new Refusal(count === 1 ? 'One check failed.' : `${count} checks failed.`)
}

interface Server {
  url: URL
  token: string | undefined
  /** What init did with it. */
  stored: StoredServer | undefined
  /** Its management socket, where it runs on this machine. */
  local: string | undefined
}

async function * checksOf (
  { url, token, stored, local }: Server, { machine }: Surroundings, unreadable: Check | undefined
): AsyncGenerator<Check> {
  if (unreadable) yield unreadable
  let reachable = false
  for await (const check of examine({ url, token: token ?? anyToken(stored) })) {
    if (check.name === 'path') reachable = check.status === 'passed' || check.status === 'warning'
    yield check
  }
  yield * checkRegistrations({ url, machine, folder: machine.folder, stored, reachable })
  yield { name: 'platform', ...reachable ? await checkPlatform(url) : skipped('needs path') }
  yield { name: 'search index', ...local === undefined ? skipped('asked only where the server runs') : await checkSearchIndex(local) }
}

const credentials = async ({ machine }: Surroundings): Promise<{ stored: Stored, unreadable?: Check }> => {
  try {
    return { stored: await readCredentials(machine) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { stored: { version: 1, servers: {} }, unreadable: { name: 'credentials file', ...failed('it is not used', error.message) } }
  }
}

/** Those that init knows; else the one of this machine, or what would be. */
const serversIn = ({ servers }: Stored, here: URL | undefined, { env }: Surroundings, flags: Flags): URL[] => {
  const known = Object.keys(servers)
  if (known.length > 0) return known.map((href) => new URL(href))
  const { host, port, publicUrl } = readConfig(env, flags)
  return [here ?? endpointAt(`${publicUrl ?? baseOf(host, port)}/mcp`)]
}

const nowhere = (error: unknown): undefined => {
  if (!(error instanceof Refusal)) throw error
}

const anyToken = (stored: StoredServer | undefined): string | undefined => Object.values(stored?.tokens ?? {})[0]?.token

const lineOf = ({ name, status, detail, remedy }: Check): string =>
  harmless(`${MARKS[status]} ${name}: ${detail}${remedy === undefined ? '' : ` → ${remedy}`}`)
