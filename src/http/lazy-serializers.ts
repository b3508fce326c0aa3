/** Compiles the schema of a response when the first one is sent. */
import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

const require = createRequire(import.meta.url)

/**
 * Fastify's own factory of serializers. Fastify exports no name for it, and a package of Fastify is found from where
 * Fastify is.
 */
const fastifySerializers = (): SerializerFactory => {
  const selectSerializer: () => SerializerFactory =
    createRequire(require.resolve('fastify'))('@fastify/fast-json-stringify-compiler')
  return selectSerializer()
}

/**
 * Fastify compiles the responses of all routes when it starts, for a tenth of the start's time; most of them are never
 * sent. A schema that cannot be compiled fails the first response in place of the start.
 */
export const lazySerializers: SerializerFactory = (schemas, options) => {
  let compiler: ReturnType<SerializerFactory> | undefined
  return (route) => {
    let serialize: ReturnType<ReturnType<SerializerFactory>> | undefined
    return (value) => {
      compiler ??= fastifySerializers()(schemas, options)
      serialize ??= compiler(route)
      return serialize(value)
    }
  }
}
