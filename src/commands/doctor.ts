/** `doctor`: what stands between this machine and a server, one check per line, with the remedy of each failure. */
import { readFile } from 'node:fs/promises'
import { checkRegistrations } from '../agents/check-registrations.js'
import { readCredentials, type Stored, type StoredServer } from '../agents/credentials-file.js'
import { examine } from '../agents/examine.js'
import { failed, type Check } from '../agents/finding.js'
import { sameEndpoint } from '../agents/same-endpoint.js'
import { readConfig, type Flags } from '../config.js'
import { Refusal } from '../errors.js'
import { harmless, print } from './print.js'
import type { Run } from './run.js'
import type { Surroundings } from './surroundings.js'

interface Options { url?: string, tokenFile?: string }

const MARKS = { passed: '✔', warning: '!', failed: '✖', skipped: '–' }

export const doctor: Run<Options> = async ({ url: named, tokenFile, json }, surroundings, flags) => {
  const given = named === undefined ? undefined : endpointAt(named)
  const token = tokenFile === undefined ? surroundings.env['EXPLORATION_MCP_TOKEN'] || undefined : await tokenIn(tokenFile)
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new Refusal('The credential is one word of plain letters: see what else stands in the file or variable.')

  const checks: Array<Check & { server: string, ok: boolean }> = []
  const { stored, unreadable } = await credentials(surroundings)
  for (const url of given ? [given] : serversIn(stored, surroundings, flags)) {
    if (!json) surroundings.stdout.write(`${harmless(url.href)}\n`)
    for await (const check of checksOf(url, token, stored, surroundings)) {
      checks.push({ server: url.href, ...check, ok: check.status !== 'failed' })
      if (!json) surroundings.stdout.write(`${lineOf(check)}\n`)
    }
  }

  async function * checksOf (url: URL, token: string | undefined, { servers }: Stored, { machine }: Surroundings): AsyncGenerator<Check> {
    if (unreadable) yield unreadable
    const stored = Object.entries(servers).find(([href]) => sameEndpoint(new URL(href), url))?.[1]
    let reachable = true
    for await (const check of examine({ url, token: token ?? anyToken(stored) })) {
      if (check.name === 'path') reachable = check.status !== 'failed' && check.status !== 'skipped'
      yield check
    }
    yield * checkRegistrations({ url, machine, folder: machine.folder, stored, reachable })
  }

  const count = checks.filter(({ ok }) => !ok).length
  if (json) print({ ...surroundings, json }, { ok: count === 0, checks }, '')
  if (count > 0) throw new Refusal(count === 1 ? 'One check failed.' : `${count} checks failed.`)
}

const credentials = async ({ machine }: Surroundings): Promise<{ stored: Stored, unreadable?: Check }> => {
  try {
    return { stored: await readCredentials(machine) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { stored: { version: 1, servers: {} }, unreadable: { name: 'credentials file', ...failed('it is not used', error.message) } }
  }
}

/** Those that init knows; where it knows none, the one that the configuration names. */
const serversIn = ({ servers }: Stored, { env }: Surroundings, flags: Flags): URL[] => {
  const known = Object.keys(servers)
  if (known.length > 0) return known.map((href) => new URL(href))
  const { host, port, publicUrl } = readConfig(env, flags)
  return [endpointAt(`${publicUrl ?? `http://${reachable(host)}:${port}`}/mcp`)]
}

const anyToken = (stored: StoredServer | undefined): string | undefined => Object.values(stored?.tokens ?? {})[0]?.token

/** An address that listens everywhere is reached on the loopback. */
const reachable = (host: string): string => host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

const lineOf = ({ name, status, detail, remedy }: Check): string =>
  harmless(`${MARKS[status]} ${name}: ${detail}${remedy === undefined ? '' : ` → ${remedy}`}`)

const endpointAt = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Refusal('--url is the address of an MCP endpoint, such as http://127.0.0.1:8080/mcp.')
  if (url.username !== '' || url.password !== '') throw new Refusal('A credential does not belong into the URL: give it with --token-file.')
  return url
}

const tokenIn = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch(() => { throw new Refusal(`The token file ${file} cannot be read.`) })
  return text.trim()
}
