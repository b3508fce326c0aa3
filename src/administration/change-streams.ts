/** Streams of server-sent events that say where something has changed, for the pages of a session. */
import { PassThrough } from 'node:stream'
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSession } from '../access/sign-in/web-sessions.js'
import { Fault } from '../lib/errors.js'
import { onDisconnect } from '../lib/http/end-after-request.js'
import type { ChangedRow } from '../planning/change-feed.js'
import type { PageDeps } from './page-deps.js'
import { visibleWorkspaces } from './visible-workspaces.js'

const HEARTBEAT_MS = 15_000
const STREAMS_OF_SESSION = 8
const STREAMS = 2000

/** It answers with the changes of all workspaces that the session's person sees, until that or the connection ends. */
export const createChangeStreams = (
  { feed, findSession, requireSession }: Pick<PageDeps, 'feed' | 'findSession' | 'requireSession'>
) => {
  const open = new Map<string, number>()
  let all = 0

  const run = async (request: FastifyRequest, session: WebSession, lines: PassThrough, end: AbortController) => {
    const { signal } = end
    let seen = new Set(visibleWorkspaces(session))
    const refresh = async (): Promise<void> => {
      const found = await findSession(request)
      if (found?.sessionId !== session.sessionId) end.abort()
      else seen = new Set(visibleWorkspaces(found))
    }
    const beat = setInterval(() => {
      refresh().then(() => { if (!signal.aborted && !lines.writableNeedDrain) lines.write(':\n\n') },
        () => { end.abort() })
    }, HEARTBEAT_MS).unref()
    try {
      const start = await feed.position()
      lines.write(':\n\n')
      for await (const rows of feed.follow(start, signal)) {
        const concerns = ({ workspace_id: id, user_id: user }: ChangedRow): boolean =>
          user === session.user.id || (id !== null && seen.has(id))
        if (!rows.some(concerns)) continue
        await refresh()
        if (signal.aborted) break
        if (!lines.write(eventsOf(rows, seen))) await once(lines, 'drain', { signal })
      }
    } finally {
      clearInterval(beat)
      lines.end()
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = requireSession(request)
    const { sessionId: id } = session
    const count = open.get(id) ?? 0
    if (count >= STREAMS_OF_SESSION || all >= STREAMS) {
      throw new Fault('rate_limited', 'Too many streams are open: close other tabs.', { retry_after_seconds: 60 })
    }
    open.set(id, count + 1)
    all++
    const lines = new PassThrough()
    const end = new AbortController()
    onDisconnect(reply.raw, () => { end.abort() })
    run(request, session, lines, end)
      .catch((err: unknown) => { if (!end.signal.aborted) request.log.info({ err }, 'a stream of changes ended') })
      .finally(() => {
        all--
        const left = (open.get(id) ?? 1) - 1
        if (left > 0) open.set(id, left)
        else open.delete(id)
      })
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(lines)
  }
}

/** One event for each exploration, or workspace, that the rows name. */
const eventsOf = (rows: readonly ChangedRow[], seen: ReadonlySet<string>): string => {
  const data = rows.filter(({ workspace_id: id }) => id !== null && seen.has(id))
    .map((row) => JSON.stringify({ workspace_id: row.workspace_id, exploration_id: row.exploration_id }))
  return [...new Set(data)].map((one) => `event: change\ndata: ${one}\n\n`).join('')
}
