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

export async function readVerifiedToken (file: string, stdin: Readable, endpoint: URL): Promise<StoredToken> {
  const token = await readToken(file, stdin)
  const info = await inspectToken(endpoint, token)
  if ('refused' in info) throw new Refusal(`The server refuses this credential. ${info.refused}`)
  return { token, id: info.id, kind: info.kind, expires_at: info.expires_at, user: info.user }
}

/**
 * The credential in a file, or on standard input for `-`.
 * @throws {Refusal} for a file that cannot be read, and for what is not of the form of a credential
 */
export const readToken = async (file: string, stdin: Readable): Promise<string> =>
  requireCredential(
    await readText(file, stdin),
    file === '-' ? 'What comes from standard input' : `What ${stripControlChars(file)} holds`
  )

/**
 * What a file, or standard input for `-`, has in place of a credential: whatever it is, without the white space
 * around it.
 * @throws {Refusal} for a file that cannot be read, and for more than a credential can be
 */
export const readText = async (file: string, stdin: Readable): Promise<string> => {
  const text = await readAll(file === '-' ? stdin : createReadStream(file)).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal(`The token file ${stripControlChars(file)} cannot be read.`)
  })
  return text.trim()
}

/**
 * The credential that EXPLORATION_MCP_TOKEN holds; undefined where it is not set.
 * @throws {Refusal} for what is not of the form of a credential
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
