/** The client of the management API on its Unix socket. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createConnection } from 'node:net'
import type { Readable } from 'node:stream'
import { Client } from 'undici'
import type { CallArguments, CallInput, ResponseOf } from '../administration/operation.js'
import { operationPath } from '../administration/operation-path.js'
import { ACTOR_HEADER, USER_HEADER } from '../administration/operator.js'
import type { SocketOperations } from '../administration/operations.js'
import type { IndexState } from '../search/indexer.js'
import type { NdjsonLine } from '../administration/ndjson-progress.js'
import { PREFIX } from '../platform-api/client/operation.js'
import type { ImportProgress, ImportSummary, PlanImportSummary } from '../administration/ports.js'
import { Refusal } from '../lib/errors.js'
import { socketName } from '../server/data-folder.js'
import { asObject } from '../lib/json/json-object.js'
import { parseBoundedJson } from '../lib/json/json-depth.js'
import { errorCode } from '../lib/error-code.js'
import { commandLine } from '../lib/text/command-line.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type StreamedReply = { [Key in keyof SocketOperations]: SocketOperations[Key] extends { produces: object } ? Key : never
}[keyof SocketOperations]

interface Summaries {
  'POST /imports': ImportSummary
  'POST /plan-imports': PlanImportSummary
  'POST /admin/credentials/replay': ResponseOf<SocketOperations['POST /admin/credentials/end']>
  'POST /search-index/rebuild': IndexState
}

/** The server stopped, or is stopping, before it did anything. The request can be repeated safely. */
class ServerNotRunning extends Error {}

export class ManagementClient {
  private constructor (
    private readonly client: Client, private readonly release: () => void, private readonly actor: string
  ) {}

  static async connect (socket: string, actor = 'the server'): Promise<ManagementClient | undefined> {
    if (!existsSync(socket)) return undefined
    const name = socketName(socket)
    const probe = createConnection(name.path)
    try {
      await once(probe, 'connect')
    } catch {
      name.release()
      return undefined
    } finally {
      probe.destroy()
    }
    return new ManagementClient(
      new Client('http://localhost', { socketPath: name.path, headersTimeout: 0, bodyTimeout: 0 }), name.release, actor
    )
  }

  /** Calls an operation, such as `call('DELETE /keys/:id', { params: { id } })`. Returns the body of the reply. */
  async call<Name extends keyof SocketOperations> (
    operation: Name, ...[input]: CallArguments<Name, SocketOperations[Name]>
  ): Promise<NoInfer<ResponseOf<SocketOperations[Name]>>> {
    return await this.callAs(undefined, operation, input ?? {})
  }

  /** The same for a user, by id or e-mail address: what is created is theirs. */
  async callAs<Name extends keyof SocketOperations> (
    user: string | undefined, operation: Name, { params, query, body }: CallInput<Name, SocketOperations[Name]>
  ): Promise<NoInfer<ResponseOf<SocketOperations[Name]>>> {
    const headers = {
      ...body !== undefined && { 'content-type': 'application/json' },
      ...user !== undefined && { [USER_HEADER]: encodeURIComponent(user) }
    }
    const answer = await this.request(operation, operationPath(operation, params, query), {
      headers, ...body !== undefined && { body: JSON.stringify(body) }
    })
    return parseReply(await answer.body.text())
  }

  /** Yields the lines of a streamed reply, and throws when it ends before it is complete. */
  async * lines<Name extends StreamedReply> (
    operation: Name, { query }: CallInput<Name, SocketOperations[Name]>
  ): AsyncGenerator<string> {
    const answer = await this.request(operation, operationPath(operation, {}, query), {})
    try {
      for await (const line of readLines(answer.body)) yield line
    } catch (error) {
      throw LOST.includes(errorCode(error)) ? new Refusal(INCOMPLETE) : error
    }
  }

  /** Runs work whose reply is progress and a summary. Resolves with the summary when everything is committed. */
  async work<Name extends keyof Summaries> (
    operation: Name, source?: Readable, onProgress: (progress: ImportProgress) => void = () => {},
    query: Record<string, string> = {}
  ): Promise<Summaries[Name]> {
    const rest = source && { body: source, headers: { 'content-type': 'application/octet-stream' } }
    const answer = await this.request(operation, operationPath(operation, {}, query), rest ?? {})
    let last: NdjsonLine<Summaries[Name]> | undefined
    try {
      // Read to the end in any case: the connection is used for the next file.
      for await (const line of readLines(answer.body)) {
        last = parseReply<NdjsonLine<Summaries[Name]>>(line)
        if ('progress' in last) onProgress(last.progress)
      }
    } catch {
      last = undefined
    }
    if (last && 'summary' in last) return last.summary
    if (last && 'problem' in last) throw refusal(last.problem)
    throw new Refusal(STOPPED)
  }

  async close (): Promise<void> {
    this.release()
    await this.client.destroy()
  }

  private async request (
    operation: keyof SocketOperations, path: string,
    rest: { body?: string | Readable, headers?: Record<string, string> }
  ) {
    const [method = ''] = operation.split(' ')
    try {
      const answer = await this.client.request({
        method: method as Method,
        path: `${PREFIX}${path}`,
        ...rest,
        headers: { ...rest.headers, [ACTOR_HEADER]: this.actor }
      })
      if (answer.statusCode < 400) return answer
      const problem = await answer.body.text()
      if (answer.statusCode !== 503) throw refusal(parseBoundedJson(problem))
    } catch (error) {
      const code = errorCode(error)
      if (LOST.includes(code)) throw new Refusal(STOPPED)
      if (!ABSENT.includes(code)) throw error
    }
    throw new ServerNotRunning('The server on this data folder is stopping. Try again.')
  }
}

/** Undefined when no server answers on the socket, or when it stopped before it did anything. */
export const withRunningServer = async <T>(
  socket: string, work: (client: ManagementClient) => Promise<T>, actor?: string
): Promise<{ outcome: T } | undefined> => {
  const client = await ManagementClient.connect(socket, actor)
  try {
    return client && { outcome: await work(client) }
  } catch (error) {
    if (error instanceof ServerNotRunning) return undefined
    throw error
  } finally {
    await client?.close()
  }
}

/** Replies come from a server of this version, on a socket that only this user can open: their shape is not checked. */
const parseReply = <T>(text: string): T => parseBoundedJson(text) as T

const STOPPED = 'The server stopped before it was done. Check what was written, then try again.'

const INCOMPLETE = 'The server ended its answer before it was complete. Its log says why; then try again.'

const LOST: unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']
const ABSENT: unknown[] = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR']

async function * readLines (body: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of body.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield * lines
  }
}

function refusal (problem: unknown): Refusal {
  const { detail } = asObject(problem)
  return new Refusal(typeof detail === 'string' ? withCommandLines(detail) : 'The server gave no reason.')
}

/** A server names commands in quotes, such as "users list", as it does not know how its caller runs them. */
const withCommandLines = (text: string): string =>
  text.replaceAll(/"((?:users|members|workspaces|keys|tokens|connections) [a-z-]+|import)"/g, (_quoted, words: string) => commandLine(words))
