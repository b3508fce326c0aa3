/** The packages that an operator installs who wants traces. The program runs without them. */

/** The SDK, which sends spans and metrics. */
export const SDK_PACKAGE = '@opentelemetry/sdk-node'
/** The instrumentation that makes a span for each HTTP request. */
export const HTTP_SPANS_PACKAGE = '@fastify/otel'

/** The module of a package, as its own types (`Library`) describe it; undefined when it is not installed. */
export const importOptional = async <Library>(name: string): Promise<Library | undefined> => {
  try {
    return await import(name)
  } catch {
    return undefined
  }
}
