/** The fixture, served until a test ends, with a client on a socket. The fixture itself is also compiled without these. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { wire, type Wire } from '../helpers/wire.js'
import { fixture, type FixtureOptions } from './fixture.js'

export const served = async (t: Test, options: FixtureOptions = {}): Promise<{ app: FastifyInstance, client: Wire }> => {
  const app = await fixture(options)
  t.teardown(() => app.close())
  return { app, client: await wire(t, app, 'any') }
}
