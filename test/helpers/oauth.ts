/** An OAuth client, and the person who lets it in, in one process: against any replica, over requests as browsers and clients send them. */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { modernRequest, replyOf, type Reply } from './build.js'
import { ORIGIN, type Browser } from './web.js'

export const RESOURCE = `${ORIGIN}/oauth/mcp`
/** A client with a document that is shipped, so that nothing is fetched. */
export const CLAUDE = {
  client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata', redirect_uri: 'https://claude.ai/api/mcp/auth_callback'
}

export interface Tokens { access_token: string, refresh_token: string, expires_in: number, token_type: string, scope: string }
type Fields = Readonly<Record<string, string | undefined>>

export const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** The fields of a form or a query; what is undefined is left out. */
export const form = (fields: Fields): string => new URLSearchParams(
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)).toString()

/** Without a session and without an origin, as programs call. */
export const get = async <Body = Record<string, unknown>>(
  app: FastifyInstance, url: string, headers: Record<string, string> = {}
): Promise<Reply<Body>> =>
  replyOf<Body>(await app.inject({ method: 'GET', url, headers: { host: new URL(ORIGIN).host, ...headers } }))

export const postForm = async <Body = Record<string, string>>(
  app: FastifyInstance, path: string, fields: Fields | string, headers: Record<string, string> = {}
): Promise<Reply<Body>> => replyOf<Body>(await app.inject({
  method: 'POST',
  url: `/oauth/mcp/${path}`,
  headers: { host: new URL(ORIGIN).host, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  payload: typeof fields === 'string' ? fields : form(fields)
}))

export const register = async (
  app: FastifyInstance, metadata: unknown, headers: Record<string, string> = {}
): Promise<Reply<Record<string, unknown>>> =>
  replyOf(await app.inject({
    method: 'POST',
    url: '/oauth/mcp/register',
    headers: { host: new URL(ORIGIN).host, 'content-type': 'application/json', ...headers },
    payload: typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  }))

export interface Request {
  verifier: string
  query: Fields
}

/** A correct authorization request; `over` changes it. */
export const request = (over: Fields = {}, verifier = newVerifier()): Request => ({
  verifier,
  query: {
    response_type: 'code', ...CLAUDE, code_challenge: s256(verifier), code_challenge_method: 'S256', state: 'a state & more', resource: RESOURCE, scope: 'read', ...over
  }
})

export interface Outcome {
  status: number
  location: URL
  ticket: string | null
  error: string | null
}

/** Opens the authorization endpoint in a browser. */
export const authorize = async (browser: Browser, query: Fields | string): Promise<Outcome> => {
  const { status, headers } = await browser.open(`/oauth/mcp/authorize?${typeof query === 'string' ? query : form(query)}`)
  const location = new URL(String(headers.location), ORIGIN)
  return { status, location, ticket: location.searchParams.get('ticket'), error: location.searchParams.get('error') }
}

/** What the consent page does when the person clicks. */
export const decide = async (
  browser: Browser, ticket: string | null, decision: 'allow' | 'deny' = 'allow', workspaces: 'all' | string[] = 'all'
): Promise<URL> => {
  const { status, body, text } = await browser.call<{ redirect_to: string }>('POST', '/oauth/consent', { ticket, decision, workspaces })
  if (status !== 200) throw new Error(`the decision answered ${status} ${text}`)
  return new URL(body.redirect_to)
}

/** The whole of it up to the code. */
export const codeFor = async (browser: Browser, { query }: Request, workspaces: 'all' | string[] = 'all'): Promise<string> => {
  const { ticket, location } = await authorize(browser, query)
  if (ticket === null || location.searchParams.has('error')) throw new Error(`no consent: ${location.href}`)
  return (await decide(browser, ticket, 'allow', workspaces)).searchParams.get('code') ?? ''
}

/** Redeems a code; `over` changes the form. */
export const redeem = (
  app: FastifyInstance, code: string, { query, verifier }: Request, over: Fields = {}
): Promise<Reply<Tokens & Record<string, string>>> =>
  postForm(app, 'token', {
    grant_type: 'authorization_code',
    code,
    client_id: query['client_id'],
    redirect_uri: query['redirect_uri'],
    code_verifier: verifier,
    resource: query['resource'],
    ...over
  })

export const refresh = (app: FastifyInstance, token: string, over: Fields = {}): Promise<Reply<Tokens & Record<string, string>>> =>
  postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: token, client_id: CLAUDE.client_id, ...over })

/** Connects an application, from the first request to its tokens. */
export const connect = async (
  app: FastifyInstance, browser: Browser, asked: Request = request(), workspaces: 'all' | string[] = 'all'
): Promise<Tokens> => {
  const { status, body, text } = await redeem(app, await codeFor(browser, asked, workspaces), asked)
  if (status !== 200) throw new Error(`no tokens: ${status} ${text}`)
  return body
}

/** A request of the modern era to the endpoint; without `token` without a header. */
export const callMcp = async <Body = Record<string, unknown>>(
  app: FastifyInstance, token: string | undefined, method = 'tools/list', params: Record<string, unknown> = {}, url = '/oauth/mcp',
  headers: Record<string, string> = {}
): Promise<Reply<Body>> => {
  const request = modernRequest(token, method, params)
  return replyOf<Body>(await app.inject({
    method: 'POST', url, headers: { host: new URL(ORIGIN).host, ...request.headers, ...headers }, payload: request.body
  }))
}
