/** The state of the server for administrators, without secrets. */
import type { FastifyRequest } from 'fastify'
import { SERVER } from '../../config/server-info.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import type { PageDeps } from '../page-deps.js'

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString()

/** Returns the body of the reply. */
export const statusView = async (
  deps: PageDeps, request: FastifyRequest
): Promise<ResponseOf<PageOperations['GET /admin/status']>> => {
  const { web, searchIndex, valkey, publicUrl, auditRetentionDays } = deps
  const [{ version, size_bytes: sizeBytes, replicas, ...records }, index, ready = true] = await Promise.all([
    web.status(), searchIndex.state(), deps.databaseReady?.()
  ])
  return {
    server: {
      name: SERVER.name,
      version: SERVER.version,
      node: process.version,
      endpoint: deps.endpointOf(request),
      public_url: publicUrl ?? null,
      started_at: STARTED_AT
    },
    replicas: {
      count: web.embedded ? 1 : Math.max(1, replicas),
      shared_state: valkey ? 'valkey' : 'none',
      shared_state_available: !valkey?.away
    },
    database: { kind: web.embedded ? 'embedded' : 'postgresql', version, size_bytes: sizeBytes, ready },
    records,
    search_index: index,
    sign_in: deps.signIn(),
    audit: { retention_days: auditRetentionDays ?? null }
  }
}
