/**
 * Which of several servers takes writes: postgres://user:password@one,two:5433/name, as libpq has it. One is asked again whenever the
 * one in use is lost, so that a standby that was promoted is found without anybody's help.
 */
import pg from 'pg'

// The code of a server that cannot be used just now.
const NOT_NOW = '57P03'
const CONNECT_TIMEOUT_MS = 2000

/** An address for each of them. */
export const serversOf = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

/** The address of the one that takes writes; that of an only one without a look. Rejects with an outage when there is none. */
export const primaryOf = async (url: string): Promise<string> => {
  const servers = serversOf(url)
  if (servers.length === 1) return url
  try {
    return await Promise.any(servers.map(requireWritable))
  } catch (error) {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
    throw Object.assign(new Error(`None of ${servers.length} servers takes writes: ${reasons.map(String).join('; ')}`), { code: NOT_NOW })
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
