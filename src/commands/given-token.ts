/** A credential that exists: out of a file, or from standard input. Never from the command line, where others can read it. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { whoIs } from '../agents/account.js'
import type { StoredToken } from '../agents/credentials-file.js'
import { Refusal } from '../errors.js'
import { harmless } from './print.js'

const MOST_BYTES = 10_000

export async function givenToken (file: string, stdin: Readable, endpoint: URL): Promise<StoredToken> {
  const token = await readToken(file, stdin)
  const known = await whoIs(endpoint, token)
  if ('refused' in known) throw new Refusal(`The server does not take this credential. ${known.refused}`)
  return { token, id: known.id, kind: known.kind, expires_at: known.expires_at, user: known.user }
}

export async function readToken (file: string, stdin: Readable): Promise<string> {
  const token = (file === '-' ? await all(stdin) : await contentOf(file)).trim()
  if (!/^[\x21-\x7e]{1,1000}$/.test(token)) throw new Refusal('The credential is one word of plain letters: see what else stands in the file.')
  return token
}

const contentOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => { throw new Refusal(`The token file ${harmless(file)} cannot be read.`) })

async function all (stdin: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > MOST_BYTES) throw new Refusal('What comes from standard input is no credential.')
  }
  return text
}
