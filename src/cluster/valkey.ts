/** The connections to Valkey, which the replicas share. While it is away, calls fail at once instead of waiting. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'
import { withTimeout } from '../lib/async/deadline.js'
import { unavailable } from '../lib/errors.js'

export interface Valkey {
  readonly away: boolean
  /** Calls the listener with the reason when Valkey goes away, and without one when it is back. */
  watch (listener: (reason?: unknown) => void): void
  /** Rejects with the `Fault` `unavailable`, at once while Valkey is away. A refused command rejects with its error. */
  ask<T> (work: (commands: Redis) => Promise<T>): Promise<T>
  /** Runs the script by its hash, and sends its text when Valkey does not know it. Rejects like `ask`. */
  run (script: Script, keys: readonly string[], values: ReadonlyArray<string | number>): Promise<unknown>
  /** A separate connection for blocking reads. It reconnects by itself. */
  reader (): Promise<Redis>
  close (): Promise<void>
}

export interface Script { lua: string, hash: string }

/** A Lua script with the SHA-1 by which EVALSHA names it. */
export const script = (lua: string): Script => ({ lua, hash: createHash('sha1').update(lua).digest('hex') })

export interface ValkeyOptions { commandTimeoutMs?: number, probeEveryMs?: number }

const CONNECT_TIMEOUT_MS = 2000
const PROBE = 'exploration-mcp:probe'
const PROBE_KEEP_MS = 1000

/**
 * Connects, then watches the connection: after a failed command Valkey counts as away until a probe succeeds.
 * @throws the connection error when Valkey does not answer at first
 */
export const openValkey = async (
  url: string, { commandTimeoutMs = 500, probeEveryMs = 250 }: ValkeyOptions = {}
): Promise<Valkey> => {
  const retryStrategy = (attempt: number): number => Math.min(attempt * 50, 500)
  const common = { lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS, keepAlive: 5000, retryStrategy }
  const address = url.replace(/^valkey/, 'redis')
  const commands = new Redis(address, { ...common, enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  const readers = new Set<Redis>()
  const listeners = new Set<(reason?: unknown) => void>()
  let reason: unknown
  let away = false
  const closing = new AbortController()

  const lose = (why: unknown): void => {
    if (away || closing.signal.aborted) return
    away = true
    reason = why
    for (const listener of listeners) listener(why)
    probe().catch(() => {})
  }
  const probe = async (): Promise<void> => {
    for (;;) {
      await sleep(probeEveryMs, undefined, { ref: false, signal: closing.signal })
      try {
        // A write: a read-only Valkey is of no use.
        await withTimeout(commands.set(PROBE, '', 'PX', PROBE_KEEP_MS), commandTimeoutMs, late)
        break
      } catch {
        // Connected but silent: another connection may work.
        if (commands.status === 'ready') commands.disconnect(true)
      }
    }
    away = false
    for (const listener of listeners) listener()
  }
  // Each call reports its own failure. The client reconnects by itself.
  commands.on('error', () => {})
  commands.on('close', () => lose(new Error('The connection to Valkey was lost.')))

  const connected = async (connection: Redis): Promise<Redis> => {
    try {
      await connection.connect()
      return connection
    } catch (error) {
      closing.abort()
      connection.disconnect()
      throw error
    }
  }
  await connected(commands)

  const ask = async <T>(work: (commands: Redis) => Promise<T>): Promise<T> => {
    if (away) throw unavailable(AWAY, reason)
    try {
      return await withTimeout(work(commands), commandTimeoutMs, late)
    } catch (error) {
      if (isRefusedCommand(error)) throw error
      lose(error)
      throw unavailable(AWAY, error)
    }
  }

  return {
    get away () {
      return away
    },

    watch (listener) {
      listeners.add(listener)
    },

    ask,

    run: ({ lua, hash }, keys, values) => ask(async (commands) => {
      try {
        return await commands.evalsha(hash, keys.length, ...keys, ...values)
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
        return await commands.eval(lua, keys.length, ...keys, ...values)
      }
    }),

    async reader () {
      const reader = new Redis(address, { ...common, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 })
      reader.on('error', () => {})
      readers.add(reader)
      return connected(reader)
    },

    async close () {
      closing.abort()
      for (const connection of [commands, ...readers]) connection.disconnect()
    }
  }
}

const late = (): Error => new Error('Valkey did not answer in time.')

const AWAY = 'Valkey, which the replicas share, is unavailable.'

/** Error replies that mean that Valkey cannot serve now. Its credentials may change while it runs. */
const OUTAGE = new RegExp('^(?:LOADING|READONLY|OOM|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|MISCONF|' +
  'NOREPLICAS|NOAUTH|WRONGPASS|NOPERM|UNBLOCKED)\\b|^ERR max number of clients')

/** Any other error reply is a bug of the caller: it must not make each replica count limits by itself. */
const isRefusedCommand = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError' && !OUTAGE.test(error.message)

/**
 * What an operator should change where Valkey may evict keys: an evicted count of a limit lets refused callers through.
 * Undefined when nothing is evicted, or Valkey does not say. INFO is allowed where managed services forbid CONFIG.
 */
export const evictionWarning = async (valkey: Pick<Valkey, 'ask'>): Promise<string | undefined> => {
  const info = await valkey.ask((commands) => commands.info('memory')).catch(() => '')
  const field = (name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1]
  const [limit, policy] = [field('maxmemory'), field('maxmemory_policy')]
  if (policy === undefined || policy === 'noeviction' || limit === '0') return undefined
  return `Valkey evicts keys when its memory is full (maxmemory-policy ${policy}): counts of limits would be lost, ` +
    'and callers who used up theirs get through. Set maxmemory-policy noeviction, or give this service a Valkey of ' +
    'its own.'
}
