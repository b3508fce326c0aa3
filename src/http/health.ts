/** Whether the process lives: for whoever restarts it. */
import type { FastifyInstance } from 'fastify'

export const health = async (app: FastifyInstance): Promise<void> => {
  app.get('/livez', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
}
