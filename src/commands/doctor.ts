/** `doctor`: what stands between this machine and a server, one check per line, with the remedy of each failure. */
import { readFile } from 'node:fs/promises'
import { examine } from '../agents/examine.js'
import type { Check } from '../agents/finding.js'
import { readConfig } from '../config.js'
import { Refusal } from '../errors.js'
import { harmless, print } from './print.js'
import type { Run } from './run.js'

interface Options { url?: string, tokenFile?: string }

const MARKS = { passed: '✔', warning: '!', failed: '✖', skipped: '–' }

export const doctor: Run<Options> = async ({ url, tokenFile, json }, surroundings, flags) => {
  const { host, port, publicUrl } = readConfig(surroundings.env, flags)
  const server = endpointAt(url ?? `${publicUrl ?? `http://${reachable(host)}:${port}`}/mcp`)
  const token = tokenFile === undefined ? surroundings.env['EXPLORATION_MCP_TOKEN'] || undefined : await tokenIn(tokenFile)
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new Refusal('The credential is one word of plain letters: see what else stands in the file or variable.')

  const checks: Array<Check & { server: string, ok: boolean }> = []
  if (!json) surroundings.stdout.write(`${harmless(server.href)}\n`)
  for await (const check of examine({ url: server, token })) {
    checks.push({ server: server.href, ...check, ok: check.status !== 'failed' })
    if (!json) surroundings.stdout.write(`${lineOf(check)}\n`)
  }
  const failed = checks.filter(({ ok }) => !ok).length
  if (json) print({ ...surroundings, json }, { ok: failed === 0, checks }, '')
  if (failed > 0) throw new Refusal(failed === 1 ? 'One check failed.' : `${failed} checks failed.`)
}

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
