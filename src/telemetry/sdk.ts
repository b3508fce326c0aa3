/** Starts the OpenTelemetry SDK when a collector is configured and no SDK is active. Other modules use only the API. */
import { diag, DiagLogLevel } from '@opentelemetry/api'
import type * as Library from '@opentelemetry/sdk-node'
import { SERVER } from '../config/server-info.js'
import { withTimeout } from '../lib/async/deadline.js'
import { hasTracingSdk } from './spans.js'

export interface Sdk {
  /** Why the SDK did not start although a collector is configured. */
  missing?: string
  close (): Promise<void>
}

export interface SdkOptions {
  endpoint: string | undefined
  /** Called with a sentence when something could not be sent. */
  failed (reason: string): void
}

const TIMEOUT_MS = 3000
const MAX_REASON_LENGTH = 300

const NONE: Sdk = { close: async () => {} }

/** Starts the SDK. Without an `endpoint`, or when an SDK is active already, does nothing. */
export const startSdk = async ({ endpoint, failed }: SdkOptions, library = SDK_PACKAGE): Promise<Sdk> => {
  if (endpoint === undefined || hasTracingSdk()) return NONE
  const loaded = await importOptional<typeof Library>(library)
  if (!loaded) {
    return {
      ...NONE,
      missing: `OTEL_EXPORTER_OTLP_ENDPOINT needs the package ${SDK_PACKAGE}, which is not installed: ` +
        `nothing is sent. npm install ${SDK_PACKAGE} ${HTTP_SPANS_PACKAGE}`
    }
  }
  const { NodeSDK, resources: { defaultResource, envDetector, hostDetector, resourceFromAttributes } } = loaded
  // The process detector is left out: it would send the command line, which may hold an address with a password.
  const sdk = new NodeSDK({
    // The detector of the environment replaces the name with OTEL_SERVICE_NAME.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': SERVER.name })),
    resourceDetectors: [envDetector, hostDetector]
  })
  const report = (reason: string): void => failed(reason.slice(0, MAX_REASON_LENGTH))
  const quiet = (): void => {}
  const options = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true }
  diag.setLogger({ error: report, warn: report, info: quiet, debug: quiet, verbose: quiet }, options)
  sdk.start()
  return {
    async close () {
      const sent = sdk.shutdown().catch((error: unknown) => report(String(error)))
      await withTimeout(sent, TIMEOUT_MS, () => new Error('the time is over')).catch(() => {})
    }
  }
}

const SDK_PACKAGE = '@opentelemetry/sdk-node'
export const HTTP_SPANS_PACKAGE = '@fastify/otel'

/** The module of a package, as its own types (`Library`) describe it; undefined when it is not installed. */
export const importOptional = async <Library>(name: string): Promise<Library | undefined> => {
  try {
    return await import(name)
  } catch {
    return undefined
  }
}
