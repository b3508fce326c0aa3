/**
 * Reads an existing credential from a file or standard input. A command line argument would be visible to other
 * users of the machine.
 */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { inspectToken } from '../../agent-setup/credentials/token-api.js'
import type { StoredToken } from '../../agent-setup/credentials/credentials-file.js'
import { VARIABLE } from '../../agent-setup/credentials/secret-strategy.js'
import { isPlainHttp, requireSecureTransport } from '../../agent-setup/credentials/http-client.js'
import { requireCredential } from '../../access/credentials/credential-form.js'
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { Refusal } from '../../lib/errors.js'
import { readTextLimited } from '../../lib/http/bounded-response.js'
import type { CliContext } from '../cli-context.js'
import { stripControlChars } from '../print/print.js'

const MAX_BYTES = 10_000

export async function readVerifiedToken (file: string, stdin: Readable, endpoint: URL): Promise<StoredToken> {
  const token = requireCredential(await readText(file, stdin), contentOf(file))
  const info = await inspectToken(endpoint, token)
  if ('refused' in info) throw new Refusal(`The server refuses this credential. ${info.refused}`)
  return info
}

const contentOf = (file: string): string =>
  file === '-' ? 'What comes from standard input' : `What ${stripControlChars(file)} holds`

/** The text of a file, or of standard input for `-`, without the white space around it. */
export const readText = async (file: string, stdin: Readable): Promise<string> => {
  const text = await readTextLimited(file === '-' ? stdin : createReadStream(file), MAX_BYTES).catch(() => {
    throw new WorkbenchError('usage', `The token file ${stripControlChars(file)} cannot be read.`)
  })
  if (text === undefined) throw new Refusal('This text is too long for a credential.')
  return text.trim()
}

/** The bearer token in the file, else in EXPLORATION_MCP_TOKEN. Warns when it goes to another machine without TLS. */
export const readBearerToken = async (
  target: URL, { tokenFile, allowHttp }: { tokenFile?: string | undefined, allowHttp?: boolean | undefined },
  { env, stdin, stderr }: Pick<CliContext, 'env' | 'stdin' | 'stderr'>
): Promise<string | undefined> => {
  requireSecureTransport(target, allowHttp)
  const token = tokenFile === undefined ? env[VARIABLE]?.trim() : await readText(tokenFile, stdin)
  if (token === undefined || (token === '' && tokenFile === undefined)) return undefined
  if (!BEARER_TOKEN.test(token)) {
    const what = tokenFile === undefined ? `What ${VARIABLE} holds` : contentOf(tokenFile)
    throw new Refusal(
      `${what} is no bearer token: a token is one word of letters, digits and -._~+/. It was not sent anywhere.`
    )
  }
  if (isPlainHttp(target)) {
    const origin = tokenFile === undefined ? VARIABLE : stripControlChars(tokenFile)
    stderr.write(withoutTls(`the token of ${origin} goes`, target))
  }
  return token
}

/** RFC 6750 section 2.1 */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/

/** Returns a line for people: `what`, such as `the token goes`, crosses a network in clear. */
export const withoutTls = (what: string, { origin }: URL): string =>
  `Warning: ${what} to ${origin} without TLS: anyone on the way can read it.\n`
