/** The OpenTelemetry SDK, where a collector is configured and nobody else has started one. Everything else here knows only the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import type * as Library from '@opentelemetry/sdk-node'
import { hasTracingSdk } from './spans.js'

export interface Sdk {
  /** Why there is none in spite of the configuration. */
  missing?: string
  /** Sends what is left, for a moment. */
  close (): Promise<void>
}

export interface SdkOptions {
  endpoint: string | undefined
  serviceName: string
  /** Told in a sentence when something could not be sent. */
  failed (reason: string): void
}

const LIBRARY = '@opentelemetry/sdk-node'
const TIMEOUT_MS = 3000
const MAX_REASON_LENGTH = 300

const NONE: Sdk = { close: async () => {} }

export const startSdk = async ({ endpoint, serviceName, failed }: SdkOptions, library = LIBRARY): Promise<Sdk> => {
  if (endpoint === undefined || hasTracingSdk()) return NONE
  const loaded = await import(library).catch(() => undefined) as typeof Library | undefined
  if (!loaded) {
    return {
      ...NONE,
      missing: `OTEL_EXPORTER_OTLP_ENDPOINT needs the package ${LIBRARY}, which is not installed: nothing is sent. npm install ${LIBRARY}`
    }
  }
  const { NodeSDK, resources: { envDetector, hostDetector } } = loaded
  // The detector of the process would send its arguments, which may hold an address with a password.
  const sdk = new NodeSDK({ serviceName, resourceDetectors: [envDetector, hostDetector] })
  const report = (reason: string): void => failed(reason.slice(0, MAX_REASON_LENGTH))
  const quiet = (): void => {}
  const options = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true }
  diag.setLogger({ error: report, warn: report, info: quiet, debug: quiet, verbose: quiet }, options)
  sdk.start()
  return {
    async close () {
      const sent = sdk.shutdown().catch((error: unknown) => report(String(error)))
      await Promise.race([sent, sleep(TIMEOUT_MS, undefined, { ref: false })])
    }
  }
}
