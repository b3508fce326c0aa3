/** Leads authorization requests to their end: follows redirects, and lets a person sign in where a page asks for it. */
import { createServer } from 'node:http'
import { closeServer, LOOPBACK, listenOnLoopback } from '../proxy/own-address.js'
import { formOf, type Fields, type Web, type WebReply } from './web.js'

export type AuthorizationResult =
  | { kind: 'answer', parameters: URLSearchParams }
  | { kind: 'refused', detail: string }
  | { kind: 'unanswered', detail: string }

/** What a person does; undefined in an audit without one. */
export interface Person {
  /** Shows an address to open, and what to do there. */
  show(url: string, what: Expectation): void
  /** Resolves when the person says that the server showed an error. */
  refused(signal: AbortSignal): Promise<void>
}

type Expectation = 'allow' | 'must-be-refused'

export type Authorizer = Awaited<ReturnType<typeof createAuthorizer>>

const MAX_REDIRECTS = 10
const PERSON_MS = 300_000
const PAGE = '<!doctype html><title>audit-auth</title><p>Received. Go back to the terminal.'

/** Starts the address that answers come to, on a free port of 127.0.0.1. */
export const createAuthorizer = async (web: Web, person: Person | undefined) => {
  let connections = 0
  let onAnswer = (_parameters: URLSearchParams): void => {}
  const server = createServer(({ url = '/' }, response) => {
    const { searchParams } = new URL(url, `http://${LOOPBACK}`)
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(PAGE)
    if (searchParams.has('code') || searchParams.has('error')) onAnswer(searchParams)
  }).on('connection', () => { connections++ })
  const address = await listenOnLoopback(server)
  const cookies = new Map<string, string>()

  const withPerson = async (url: string, by: Person, expects: Expectation): Promise<AuthorizationResult> => {
    const signal = AbortSignal.timeout(PERSON_MS)
    const answer = new Promise<AuthorizationResult>((resolve) => {
      onAnswer = (parameters) => resolve({ kind: 'answer', parameters })
      signal.addEventListener('abort', () => resolve({ kind: 'unanswered', detail: 'No one signed in in time.' }))
    })
    by.show(url, expects)
    return await Promise.race([answer, by.refused(signal).then(
      (): AuthorizationResult => ({ kind: 'refused', detail: 'A person saw that the server refused it.' }),
      () => answer
    )])
  }

  return {
    redirectUri: new URL('/callback', address.url).href,
    connections: () => connections,
    async authorize (endpoint: string, query: Fields, expects: Expectation = 'allow'): Promise<AuthorizationResult> {
      const first = new URL(endpoint)
      for (const [name, value] of new URLSearchParams(formOf(query))) first.searchParams.append(name, value)
      const target = URL.canParse(query['redirect_uri'] ?? '') ? new URL(query['redirect_uri'] ?? '').origin : undefined
      let url = first
      for (let step = 0; step < MAX_REDIRECTS; step++) {
        const headers = { accept: 'text/html', ...cookieHeader(cookies, url, first) }
        const reply = await web.send(url.href, { headers })
        storeCookies(cookies, reply)
        const next = locationOf(reply, url)
        if (next === undefined) {
          const isPage = reply.status === 200 && reply.header('content-type').startsWith('text/html')
          if (!isPage) return { kind: 'refused', detail: `HTTP ${reply.status}` }
          if (person) return withPerson(first.href, person, expects)
          return { kind: 'unanswered', detail: 'A person has to sign in, and the audit is --non-interactive.' }
        }
        if (next.origin === target) return { kind: 'answer', parameters: next.searchParams }
        url = next
      }
      return { kind: 'refused', detail: 'The redirects do not end.' }
    },
    close: () => closeServer(server)
  }
}

const locationOf = ({ status, header }: WebReply, base: URL): URL | undefined =>
  status >= 300 && status < 400 && URL.canParse(header('location'), base.href)
    ? new URL(header('location'), base)
    : undefined

// The cookies of the authorization server go nowhere else.
const cookieHeader = (cookies: ReadonlyMap<string, string>, url: URL, first: URL): Record<string, string> =>
  cookies.size === 0 || url.origin !== first.origin
    ? {}
    : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }

const storeCookies = (cookies: Map<string, string>, { cookies: headers }: WebReply): void => {
  for (const header of headers) {
    const [name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(header)?.slice(1) ?? []
    if (name !== '') cookies.set(name, value)
  }
}
