/** A gateway: the ports over a platform's API, instead of a database. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { requireSecureService } from '../http/secure-transport.js'
import { memoryEventBus } from '../engine/event-bus.js'
import type { Config } from '../config/config.js'
import { Refusal } from '../lib/errors.js'
import { platformAudit } from '../platform-api/client/platform-audit.js'
import { PlatformUnavailable } from '../platform-api/client/errors.js'
import { platformCredentials, platformDevices } from '../platform-api/client/credentials.js'
import {
  platformChanges, platformEndedSessions, platformSessionNotes
} from '../platform-api/client/platform-sessions.js'
import { connectPlatform, type Platform } from '../platform-api/client/client.js'
import { callers } from '../platform-api/client/credential-operations.js'
import { platformStore } from '../platform-api/client/platform-store.js'
import { PLATFORM_SECRET } from './data-folder.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

const MAX_CONNECTIONS = 64

/**
 * Builds the ports over the platform at `platformUrl`, without connecting yet.
 * @throws {Refusal} when a database is configured too, or for plain HTTP to another machine
 */
export const openGateway = async (config: Config, platformUrl: string) => {
  if (config.databaseUrl !== undefined) {
    throw new Refusal('A gateway has no database: leave DATABASE_URL out, or PLATFORM_URL.')
  }
  requireSecureService('PLATFORM_URL', platformUrl, 'the platform\'s token and every credential', config.allowHttp)
  const { hostname } = new URL(platformUrl)
  const here = isLoopbackHost(hostname)
  const platform = connectPlatform({
    url: platformUrl,
    token: config.platformToken ?? (here ? await tokenIn(config.dataDir) : undefined),
    connections: MAX_CONNECTIONS,
    timeoutMs: config.platformTimeoutMs
  })
  return {
    platform,
    store: platformStore(platform),
    credentials: platformCredentials(platform),
    devices: platformDevices(platform),
    audit: platformAudit(platform),
    endedSessions: platformEndedSessions(platform),
    sessionPreferences: platformSessionNotes(platform),
    bus: memoryEventBus(),
    changes: platformChanges(platform),
    platformIssuer: issuerOf(platform),
    /** Logs a warning while the platform is away. Rejects with a `Refusal` for an error that waiting does not cure. */
    async checkPlatform (log: FastifyBaseLogger): Promise<void> {
      await platform.probe().catch((error: unknown) => {
        if (error instanceof PlatformUnavailable && error.kind === 'permanent') throw new Refusal(error.message)
        log.warn({ err: error }, 'the platform is away: calls are refused until it is there')
      })
    },
    close: () => platform.close()
  }
}

const ISSUER_VALID_MS = 60_000

/** Asks the platform for its issuer of tokens of OAuth, at most once a minute. */
const issuerOf = (platform: Platform): (() => Promise<string | undefined>) => {
  let cached: { issuer: string | undefined, until: number } | undefined
  return async () => {
    if (cached && cached.until > performance.now()) return cached.issuer
    const { oauth_issuer: issuer } = await platform.request(callers.getPlatform)
    cached = { issuer, until: performance.now() + ISSUER_VALID_MS }
    return issuer
  }
}

/** The token of an embedded server on this machine. It is sent to loopback addresses only. */
const tokenIn = async (folder: string): Promise<string | undefined> =>
  await readFile(join(folder, PLATFORM_SECRET), 'utf8').then((text) => text.trim() || undefined, () => undefined)
