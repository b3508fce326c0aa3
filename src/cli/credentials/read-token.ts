/**
 * Reads an existing credential from a file or standard input. A command line argument would be visible to other
 * users of the machine.
 */
import { createReadStream } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { inspectToken } from '../../agent-setup/credentials/token-api.js'
import type { StoredToken } from '../../agent-setup/credentials/credentials-file.js'
import { VARIABLE } from '../../agent-setup/credentials/secret-strategy.js'
import { isPlainHttp, requireSecureTransport } from '../../agent-setup/credentials/http-client.js'
import { requireCredential } from '../../access/credentials/credential-form.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { Refusal } from '../../lib/errors.js'
import { stripControlChars } from '../print/print.js'

const MAX_LENGTH = 10_000

/** Reads a credential and asks the server at `endpoint` whose it is. */
export async function readVerifiedToken (file: string, stdin: Readable, endpoint: URL): Promise<StoredToken> {
  const token = await readToken(file, stdin)
  const info = await inspectToken(endpoint, token)
  if ('refused' in info) throw new Refusal(`The server refuses this credential. ${info.refused}`)
  return { token, id: info.id, kind: info.kind, expires_at: info.expires_at, user: info.user }
}

/** The credential in a file, or on standard input for `-`. */
const readToken = async (file: string, stdin: Readable): Promise<string> =>
  requireCredential(await readText(file, stdin), contentOf(file))

const contentOf = (file: string): string =>
  file === '-' ? 'What comes from standard input' : `What ${stripControlChars(file)} holds`

/** The text of a file, or of standard input for `-`, without the white space around it. */
export const readText = async (file: string, stdin: Readable): Promise<string> => {
  const text = await readAll(file === '-' ? stdin : createReadStream(file)).catch((error: unknown) => {
    throw error instanceof Refusal
      ? error
      : new WorkbenchError('usage', `The token file ${stripControlChars(file)} cannot be read.`)
  })
  return text.trim()
}

interface BearerTokenSource {
  /** The file that the user named, or `-` for standard input. */
  tokenFile: string | undefined
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable
}

/** Where the token is sent. */
interface BearerTokenTarget {
  /** The server that the user named, of any kind. */
  target: URL
  /** Whether the user gave --allow-http. */
  allowHttp: boolean | undefined
  stderr: Writable
}

/** The bearer token in the file, else in EXPLORATION_MCP_TOKEN. Warns when it goes to another machine without TLS. */
export const readBearerToken = async (
  { target, allowHttp, stderr, ...source }: BearerTokenSource & BearerTokenTarget
): Promise<string | undefined> => {
  requireSecureTransport(target, allowHttp)
  const token = await findBearerToken(source)
  if (token !== undefined && isPlainHttp(target)) {
    const origin = source.tokenFile === undefined ? VARIABLE : stripControlChars(source.tokenFile)
    stderr.write(withoutTls(`the token of ${origin} goes`, target))
  }
  return token
}

/** Returns a line for people: `what`, such as `the token goes`, crosses a network in clear. */
export const withoutTls = (what: string, { origin }: URL): string =>
  `Warning: ${what} to ${origin} without TLS: anyone on the way can read it.\n`

const findBearerToken = async (
  { tokenFile, env: { [VARIABLE]: inEnvironment }, stdin }: BearerTokenSource
): Promise<string | undefined> => {
  if (tokenFile === undefined) {
    return inEnvironment?.trim() ? requireBearerToken(inEnvironment.trim(), `What ${VARIABLE} holds`) : undefined
  }
  return requireBearerToken(await readText(tokenFile, stdin), contentOf(tokenFile))
}

/** RFC 6750 section 2.1 */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/

const requireBearerToken = (text: string, what: string): string => {
  if (BEARER_TOKEN.test(text)) return text
  throw new Refusal(
    `${what} is no bearer token: a token is one word of letters, digits and -._~+/. It was not sent anywhere.`
  )
}

async function readAll (source: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of source) {
    text += String(chunk)
    if (text.length > MAX_LENGTH) throw new Refusal('This text is too long for a credential.')
  }
  return text
}
