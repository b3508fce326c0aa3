/** Finds the primary among several servers (postgres://user@one,two:5433/name), again after a lost connection. */
import pg from 'pg'

// The code of a server that cannot be used now.
const NOT_NOW = '57P03'
const CONNECT_TIMEOUT_MS = 2000

/** The URL of each server in a URL with several hosts. */
export const serversOf = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

/** The URL of the server that accepts writes, unchecked where there is one. @throws an outage when none does */
export const primaryOf = async (url: string): Promise<string> => {
  const servers = serversOf(url)
  if (servers.length === 1) return url
  try {
    return await Promise.any(servers.map(requireWritable))
  } catch (error) {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
    const message = `None of ${servers.length} servers takes writes: ${reasons.map(String).join('; ')}`
    throw Object.assign(new Error(message), { code: NOT_NOW })
  }
}

const requireWritable = async (url: string): Promise<string> => {
  const client = new pg.Client({
    connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ writable: boolean }>(
      "select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable")
    if (!rows[0]?.writable) throw new Error('it only reads')
    return url
  } finally {
    client.end().catch(() => {})
  }
}
