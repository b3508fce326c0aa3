/**
 * Reads an existing credential from a file or standard input. A command line argument would be visible to other
 * users of the machine.
 */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { inspectToken } from '../coding-agents/credentials/token-api.js'
import type { StoredToken } from '../coding-agents/credentials/credentials-file.js'
import { VARIABLE } from '../coding-agents/credentials/secret-strategy.js'
import { requireCredential } from '../auth/credential-form.js'
import { Refusal } from '../lib/errors.js'
import { stripControlChars } from './print.js'

const MAX_LENGTH = 10_000

/**
 * Reads a credential and asks the server at `endpoint` whose it is.
 * @throws {Refusal} when it cannot be read or the server refuses it
 */
export async function readVerifiedToken (file: string, stdin: Readable, endpoint: URL): Promise<StoredToken> {
  const token = await readToken(file, stdin)
  const info = await inspectToken(endpoint, token)
  if ('refused' in info) throw new Refusal(`The server refuses this credential. ${info.refused}`)
  return { token, id: info.id, kind: info.kind, expires_at: info.expires_at, user: info.user }
}

/**
 * The credential in a file, or on standard input for `-`.
 * @throws {Refusal} when it cannot be read, or is no credential
 */
export const readToken = async (file: string, stdin: Readable): Promise<string> =>
  requireCredential(
    await readText(file, stdin),
    file === '-' ? 'What comes from standard input' : `What ${stripControlChars(file)} holds`
  )

/**
 * The text of a file, or of standard input for `-`, without the white space around it.
 * @throws {Refusal} when it cannot be read, or is too long for a credential
 */
export const readText = async (file: string, stdin: Readable): Promise<string> => {
  const text = await readAll(file === '-' ? stdin : createReadStream(file)).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal(`The token file ${stripControlChars(file)} cannot be read.`)
  })
  return text.trim()
}

/**
 * The credential in EXPLORATION_MCP_TOKEN; undefined when it is not set.
 * @throws {Refusal} when it is no credential
 */
export const tokenInEnvironment = (
  { [VARIABLE]: token }: Readonly<Record<string, string | undefined>>
): string | undefined =>
  token?.trim() ? requireCredential(token.trim(), `What ${VARIABLE} holds`) : undefined

async function readAll (source: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of source) {
    text += String(chunk)
    if (text.length > MAX_LENGTH) throw new Refusal('This text is too long for a credential.')
  }
  return text
}
