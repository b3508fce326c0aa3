/** What an agent will send, read out of its file as it stands there by now. */
import { exec } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Agent } from './agent.js'
import { readTree } from './editing/edit.js'
import { at } from './editing/tree.js'
import { objectIn } from './exchange.js'
import { readEntry } from './fill.js'
import type { Machine } from './machine.js'
import type { Registration } from './registration.js'

export interface ReadBack {
  url: URL
  headers: Record<string, string>
}

// What agents allow a helper.
const PATIENCE_MS = 10_000

/** `token` is what the user gives an agent that asks, or a variable that is not set here. A sentence when the file does not say it. */
export async function readBack (agent: Agent, { file, puts }: Registration, machine: Machine, token: string): Promise<ReadBack | string> {
  const text = (await machine.disk.read((await machine.disk.find(file)).path)).toString()
  const entry = at(readTree(agent.format, text), puts.at(-1)?.path ?? [])
  if (entry === undefined) return `The entry is not in ${file}.`
  const { url, authorization, command, variable, wrong } = readEntry(agent, entry)
  if (url === undefined || !URL.canParse(url) || wrong.length > 0) return `The entry in ${file} is not as ${agent.name} reads it.`
  const headers = command !== undefined
    ? await headersBy(command, machine)
    : { Authorization: await resolved(authorization ?? `Bearer \${${variable ?? ''}}`, machine, token) }
  return headers ? { url: new URL(url), headers } : `The command in ${file} does not print headers.`
}

/** An agent's placeholder becomes what the agent puts in its place. */
async function resolved (authorization: string, { env, home }: Machine, token: string): Promise<string> {
  const file = /\{file:([^}]+)\}/.exec(authorization)
  if (file) {
    const content = await readFile(file[1]!.replace(/^~(?=\/)/, home), 'utf8').catch(() => '')
    return authorization.replace(file[0], () => content.trim())
  }
  return authorization.replace(/\$\{input:[^}]*\}/, () => token)
    .replace(/\$\{(?:env:)?([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}/, (_, one?: string, other?: string) => env[one ?? other ?? ''] || token)
}

async function headersBy (command: string, { env }: Machine): Promise<Record<string, string> | undefined> {
  const { stdout } = await promisify(exec)(command, { env, timeout: PATIENCE_MS, maxBuffer: 100_000 }).catch(() => ({ stdout: '' }))
  const headers = Object.entries(objectIn(stdout)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return headers.length > 0 ? Object.fromEntries(headers) : undefined
}
