/** The connections to Valkey, which the replicas share: whether it is away is known at any moment, and nobody waits for it meanwhile. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'
import { unavailable } from '../lib/errors.js'

export interface Valkey {
  readonly away: boolean
  /** Told when it goes away, with the reason, and, with nothing, when it is back. */
  watch (listener: (reason?: unknown) => void): void
  /** Rejects with the fault `unavailable`, at once while it is away; with Valkey's own error for a command that it refuses. */
  ask<T> (work: (commands: Redis) => Promise<T>): Promise<T>
  run (script: Script, keys: readonly string[], values: ReadonlyArray<string | number>): Promise<unknown>
  /** A connection of its own, for reading that waits; it is made again whenever it is lost. */
  reader (): Promise<Redis>
  close (): Promise<void>
}

export interface Script { lua: string, hash: string }

export const script = (lua: string): Script => ({ lua, hash: createHash('sha1').update(lua).digest('hex') })

export interface ValkeyOptions {
  commandTimeoutMs?: number
  /** How often one that is away is asked whether it is back. */
  probeEveryMs?: number
}

const CONNECT_TIMEOUT_MS = 2000
const PROBE = 'exploration-mcp:probe'
const PROBE_KEEP_MS = 1000

/** Rejects when Valkey does not answer; later losses are mended by themselves. */
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
        // A write, since one that only reads is of no use.
        await withTimeout(commands.set(PROBE, '', 'PX', PROBE_KEEP_MS), commandTimeoutMs)
        break
      } catch {
        // Connected, and silent: another connection may find a way.
        if (commands.status === 'ready') commands.disconnect(true)
      }
    }
    away = false
    for (const listener of listeners) listener()
  }
  // Whoever asks hears of its own failure; the connection is made again.
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
    if (away) throw unavailable('What the replicas share is away.', reason)
    try {
      return await withTimeout(work(commands), commandTimeoutMs)
    } catch (error) {
      if (isRefusedCommand(error)) throw error
      lose(error)
      throw unavailable('What the replicas share is away.', error)
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

const withTimeout = <T>(answer: Promise<T>, ms: number): Promise<T> => new Promise((resolve, reject) => {
  // When it is this process that was late, the answer lies there already, and is read first.
  const timer = setTimeout(() => { setImmediate(() => setImmediate(reject, new Error('Valkey did not answer in time.'))) }, ms)
  answer.then(resolve, reject).finally(() => clearTimeout(timer))
})

/** Error replies that say that Valkey cannot serve for now, whatever it is asked; its credentials may be changed under way. */
const OUTAGE = /^(?:LOADING|READONLY|OOM|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|MISCONF|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM|UNBLOCKED)\b|^ERR max number of clients/

/** Any other error reply is a bug of whoever asks: it must not make the replicas count limits alone. */
const isRefusedCommand = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError' && !OUTAGE.test(error.message)
