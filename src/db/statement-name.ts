/** Names of prepared statements: the same text has the same name on every connection, which plans it once. */
import { createHash } from 'node:crypto'

// All texts of ours are constants; whoever ever makes them up loses the plan, not the server's memory.
const MAX_NAMES = 500
const names = new Map<string, string>()

/** Undefined when there are too many. */
export const statementName = (text: string): string | undefined => {
  const cachedName = names.get(text)
  if (cachedName !== undefined || names.size >= MAX_NAMES) return cachedName
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
