/** Names of prepared statements: a text has the same name on every connection, which plans it once. */
import { createHash } from 'node:crypto'

// The texts are constants. If that ever changes, the bound protects the server's memory.
const MAX_NAMES = 500
const names = new Map<string, string>()

/** The name of a text; undefined for a new text beyond the bound. */
export const statementName = (text: string): string | undefined => {
  const cachedName = names.get(text)
  if (cachedName !== undefined || names.size >= MAX_NAMES) return cachedName
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
