/** A small MCP client for both eras that does everything right, unless a defect is switched on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseRetryAfter } from '../../../src/lib/http/retry-after.js'
import type { Has } from './defects.js'
import { readEvents, readText, send, type Answer } from './http.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a client under test trusts what it reads
export interface Json { [key: string]: any }

export interface ClientOptions {
  url: string
  token: string
  era: 'legacy' | 'modern'
  has: Has
  capabilities: Json
  signal: AbortSignal
  /** Resolves when the server keeps a reply back: then an impatient client gives up. */
  held: Promise<unknown>
}

const LATEST = '2025-11-25'
const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol/'
const NAMED: Record<string, string> = { 'tools/call': 'name', 'resources/read': 'uri', 'tasks/get': 'taskId' }

/** The answer to a form: its defaults and a name, unless a defect is switched on. */
export const answerOf = (has: Has, { requestedSchema }: Json = {}): Json => {
  const fields = Object.entries((requestedSchema?.properties ?? {}) as Json).filter(([, field]) => field.default !== undefined)
  const content = { name: 'Ada', ...Object.fromEntries(fields.map(([key, field]) => [key, field.default])) }
  return has('noAction')
    ? { accepted: true, values: content }
    : { action: 'accept', content: { ...content, ...(has('wrongValue') && { name: { nested: [1] } }) } }
}

export const createClient = ({ url, token, era: wanted, has, capabilities, signal, held }: ClientOptions) => {
  const envelope = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: capabilities, [`${META}clientInfo`]: { name: 'tiny', version: '1' } }
  let era = wanted
  let session: string | undefined
  let revision = LATEST
  let lastId = 0
  let renewals = 0
  let answered = 0
  const progressTokens = new Set<unknown>()

  const headersFor = (method: string, params: Json): Record<string, string | undefined> => ({
    authorization: `Bearer ${token}`,
    accept: has('jsonOnly') ? 'application/json' : 'application/json, text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'tiny-client',
    ...(era === 'modern'
      ? {
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(NAMED[method] !== undefined && !has('losesName') && { 'mcp-name': String(params[NAMED[method]]) })
        }
      : { 'mcp-session-id': session, ...(method !== 'initialize' && !(method === 'tools/call' && has('losesVersion')) && { 'mcp-protocol-version': has('keepsVersion') ? LATEST : revision }) })
  })

  const get = (more: Record<string, string> = {}): Promise<Answer> =>
    send(new URL(url), { method: 'GET', headers: { ...headersFor('', {}), accept: 'text/event-stream', ...more }, signal }, has)

  const post = async (message: Json, to = url): Promise<Answer> => {
    const body = { jsonrpc: '2.0', ...message }
    const target = has('tokenInQuery') ? `${to}?access_token=${token}` : to
    return send(new URL(target), {
      method: 'POST',
      headers: headersFor(String(message['method'] ?? ''), message['params'] ?? {}),
      body: JSON.stringify(has('sendsBatch') && message['method'] === 'resources/list' ? [body] : body),
      signal
    }, has)
  }

  const notify = async (method: string): Promise<void> => {
    (await post({ method })).body.resume()
  }

  const request = async (method: string, params: Json = {}): Promise<Json> => {
    const id = has('sameIds') && method === 'tools/call' ? 'same' : ++lastId
    const meta = {
      ...params['_meta'],
      ...(era === 'modern' && !(has('losesMeta') && params['inputResponses']) && envelope)
    }
    const message = { id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } }
    const work = exchange(message)
    return has('impatient') && method === 'tools/list'
      ? Promise.race([work, held.then(() => { throw new Error('the request timed out') })])
      : work
  }

  const exchange = async (message: Json, to = url, attempt = 0): Promise<Json> => {
    const reply = await post(message, to)
    const { status } = reply
    const again = () => {
      reply.body.resume()
      return exchange(message, to, attempt + 1)
    }
    if (status === 307 || status === 308) return follow(reply, message)
    if (status === 404 && era === 'legacy' && session !== undefined && renewals === 0 && !has('neverRenews')) {
      renewals++
      reply.body.resume()
      await initialize()
      return exchange(message, to, 1)
    }
    if ((status === 429 || status === 503) && attempt === 0) {
      const retryAfter = reply.header('retry-after')
      if (has('strict') && !(Number(retryAfter) > 0)) throw new Error('Retry-After is no number')
      const after = parseRetryAfter(retryAfter, Date.now())
      if (after !== undefined || has('retriesAtOnce')) {
        if (!has('retriesAtOnce')) await sleep(after, undefined, { signal })
        return again()
      }
    }
    if (status === 401 && has('hammers') && attempt < 8) return again()
    if (status === 202) throw new Error('a request was answered by 202')
    const type = reply.header('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      if (has('noStream')) throw new Error(`cannot read ${type}`)
      return fromStream(reply, message)
    }
    const text = await readText(reply.body, has)
    if (!type.startsWith('application/json') && !has('lenient')) throw new Error(`HTTP ${status} with ${type}`)
    if (has('noJson') && message['method'] === 'tools/call') throw new Error(`cannot read ${type}`)
    const parsed: unknown = JSON.parse(text)
    if (status >= 400) return failed(status, parsed as Json, message)
    const found = accept(parsed as Json, message['id'])
    if (found === undefined) throw new Error('the reply is no response to the request')
    return found
  }

  const failed = (status: number, body: Json, message: Json): Promise<Json> => {
    const code = body['error']?.code
    if (era === 'modern' && status === 400 && code !== -32020 && message['method'] !== 'tasks/get') return choose(body, message)
    throw new Error(`HTTP ${status}: ${body['error']?.message ?? 'no message'}`)
  }

  /** The revision was refused: one with a handshake is tried. */
  const choose = async (body: Json, message: Json): Promise<Json> => {
    if (has('neverChooses')) {
      for (let attempt = 0; attempt < 3; attempt++) (await post(message)).body.resume()
    }
    const supported: unknown = body['error']?.data?.supported
    if (Array.isArray(supported) && !supported.includes(LATEST)) throw new Error('no revision in common')
    era = 'legacy'
    await initialize()
    if (message['method'] === 'server/discover') return {}
    const { _meta, ...params } = message['params']
    return request(message['method'], params)
  }

  const follow = async (reply: Answer, message: Json): Promise<Json> => {
    reply.body.resume()
    const target = new URL(reply.header('location') ?? '', url)
    if (target.origin !== new URL(url).origin && !has('followsWithCredential')) throw new Error('a redirect to another origin')
    if (has('followsAsGet')) {
      const { body, status } = await send(target, { method: 'GET', headers: headersFor('', {}), signal }, has)
      body.resume()
      throw new Error(`HTTP ${status} after a redirect`)
    }
    return exchange(message, target.href, 1)
  }

  /** The result of a response. @throws {Error} for what is no valid response, or an error */
  const accept = (message: Json, id: unknown): Json | undefined => {
    if (message === null || typeof message !== 'object') throw new Error('the reply is no object')
    if (message['jsonrpc'] !== '2.0' && !has('lenient')) throw new Error('the reply is no JSON-RPC 2.0')
    const same = has('anyId') || has('lenient') || message['id'] === id
    if (!same || 'method' in message) return undefined
    if ('error' in message && !(has('lenient') && 'result' in message)) {
      throw new Error(`the server says ${String(message['error']?.code)}: ${String(message['error']?.message)}`)
    }
    if (typeof message['result'] !== 'object' || message['result'] === null) throw new Error('the response has no result')
    return message['result']
  }

  const fromStream = async (reply: Answer, message: Json, isResumed = false): Promise<Json> => {
    let lastEvent: string | undefined
    let retry = 0
    let found: Json | undefined
    try {
      for await (const event of readEvents(reply.body, has)) {
        lastEvent = event.id ?? lastEvent
        retry = event.retry ?? retry
        if (event.data === '') continue
        const parsed = JSON.parse(event.data) as Json
        const own = 'method' in parsed ? await take(parsed) : accept(parsed, message['id'])
        if (own) found = found === undefined || has('lenient') ? own : found
        // A stream of GET may stay open.
        if (found !== undefined && isResumed) break
      }
    } catch (error) {
      if (found === undefined && !(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error
    }
    if (found !== undefined) {
      if (has('strict') && lastProgress > 0) throw new Error('the progress is not complete')
      return found
    }
    if (lastEvent !== undefined && era === 'legacy') {
      if (has('resendsCutRequest')) return exchange({ ...message, id: ++lastId })
      if (!has('ignoresRetry')) await sleep(retry, undefined, { signal })
      return fromStream(await get({ 'last-event-id': has('altersEventId') ? `${lastEvent}0` : lastEvent }), message, true)
    }
    throw new Error('the stream ended without the response')
  }

  /** Takes a request or a notification of the server. */
  const take = async ({ id, method, params = {} }: Json): Promise<undefined> => {
    if (id === undefined) return note(method, params)
    if (has('ignoresRequests') || (has('answersFirst') && answered > 0)) return undefined
    answered++
    const results: Record<string, [string, Json]> = {
      ping: ['', {}],
      'sampling/createMessage': ['sampling', has('noRole') ? { text: 'Paris' } : { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }],
      'elicitation/create': ['elicitation', answerOf(has, params)],
      'roots/list': ['roots', { roots: has('rootWithoutUri') ? [{ name: 'project' }] : [] }]
    }
    const [capability, result] = results[method] ?? [undefined, {}]
    const able = capability === '' || (capability !== undefined && capability in capabilities)
    const answer = able || has('lenient') ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } }
    ;(await post(answer)).body.resume()
    return undefined
  }

  const note = (method: string, params: Json): undefined => {
    if (!has('strict')) return undefined
    const { progress, total, progressToken } = params
    const isExpected = method === 'notifications/progress' && total !== undefined && progressTokens.has(progressToken) && progress > lastProgress
    if (!isExpected) throw new Error(`unexpected ${method}`)
    lastProgress = progress === total ? 0 : progress
    return undefined
  }
  let lastProgress = 0

  const initialize = async (): Promise<void> => {
    session = undefined
    const id = ++lastId
    const reply = await post({ id, method: 'initialize', params: { protocolVersion: LATEST, capabilities, clientInfo: { name: 'tiny', version: '1' } } })
    const given = reply.header('mcp-session-id')
    const result = reply.header('content-type')?.startsWith('text/event-stream')
      ? await fromStream(reply, { id })
      : accept(JSON.parse(await readText(reply.body, has)) as Json, id)
    if (!result) throw new Error('initialize was not answered')
    const offered: unknown = result['protocolVersion']
    const known = typeof offered === 'string' && ['2025-06-18', LATEST].includes(offered)
    if (!known && !has('lenient')) throw new Error(`the revision ${JSON.stringify(offered)} is unknown`)
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given) && !has('lenient')) throw new Error('the session id is not allowed')
    if (given === undefined && has('strict')) throw new Error('there is no session')
    revision = typeof offered === 'string' ? offered : LATEST
    session = has('lenient') ? given?.replace(/[^\x20-\x7e]/g, '') : given
    if (!has('noInitialized')) await notify('notifications/initialized')
  }

  let hasEnded = false
  let open: Answer['body'] | undefined
  let listening: Promise<void> | undefined
  const listen = async (): Promise<void> => {
    for (let time = 0; time < (has('relistens') ? 40 : 1); time++) {
      if (hasEnded) return
      const id = ++lastId
      const reply = await post({ id, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, _meta: envelope } })
      if (reply.status !== 200) {
        reply.body.resume()
        if (has('strict')) throw new Error(`HTTP ${reply.status} for a subscription`)
        return
      }
      open = reply.body
      if (hasEnded) open.destroy()
      try {
        for await (const { data } of readEvents(open, has)) {
          if (data !== '') heard(id, JSON.parse(data) as Json)
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error
      }
    }
  }
  let isAcknowledged = false
  const heard = (id: number, { method, params = {} }: Json): void => {
    const isAcknowledgment = method === 'notifications/subscriptions/acknowledged'
    const isExpected = isAcknowledgment ? params['notifications'].toolsListChanged : isAcknowledged && params['_meta']?.[`${META}subscriptionId`] === id
    if (has('strict') && !isExpected) throw new Error(`unexpected ${method}`)
    isAcknowledged ||= isAcknowledgment
  }

  return {
    request,
    initialize,
    capabilities,
    isLegacy: () => era === 'legacy',
    newProgressToken: () => {
      const progressToken = has('sameTokens') ? 'token' : `token-${progressTokens.size + 1}`
      progressTokens.add(progressToken)
      return progressToken
    },
    async listen () {
      const times = has('reopensAtOnce') ? 40 : 1
      for (let time = 0; time < times; time++) {
        const reply = await get()
        if (reply.status !== 200 && has('strict')) throw new Error(`HTTP ${reply.status} for GET`)
        if (has('reopensAtOnce')) await readText(reply.body, has)
        else reply.body.destroy()
      }
    },
    async hear () {
      const reply = await get()
      open = reply.body
      if (reply.status !== 200) return open.destroy()
      for await (const { data } of readEvents(open, has)) {
        const message = data === '' ? {} : JSON.parse(data) as Json
        if ('method' in message) await take(message)
      }
    },
    /** Subscribes to changes of tools; what comes is read until the end. */
    subscribe () {
      listening = listen()
      listening.catch(() => {})
    },
    async end () {
      if (!has('relistens')) {
        hasEnded = true
        open?.destroy()
      }
      await listening
      if (era === 'modern' || session === undefined) return
      const { status, body } = await send(new URL(url), { method: 'DELETE', headers: headersFor('', {}), signal }, has)
      body.resume()
      if (status >= 400 && has('strict')) throw new Error(`HTTP ${status} for DELETE`)
    }
  }
}

export type Client = ReturnType<typeof createClient>
