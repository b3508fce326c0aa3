/** A host of client ID metadata documents: https on loopback, with a certificate of the tests. */
import { createServer } from 'node:https'
import type { Test } from 'tap'
import type { DocumentFetchOptions } from '../../src/oauth/clients/fetch-document.js'
import { KEY, SELF_SIGNED } from '../agent-setup/certificates.js'
import { listeningPort } from './listening-port.js'

export const documentHost = async (t: Test) => {
  const answers = new Map<string, { text: string, status: number, headers: Record<string, string> }>()
  const counts = new Map<string, number>()
  let sockets = 0
  const server = createServer({ key: KEY, cert: SELF_SIGNED }, ({ url = '' }, response) => {
    counts.set(url, (counts.get(url) ?? 0) + 1)
    const answer = answers.get(url)
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json', ...answer?.headers }).end(answer?.text ?? '{}')
  })
  server.on('connection', () => { sockets++ })
  const port = await listeningPort(t, server)
  /** Lets a server fetch from it. */
  const options: DocumentFetchOptions = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }], isAllowed: () => true, ca: SELF_SIGNED
  }
  return {
    options,
    /** The address of a document. */
    url: (path: string) => `https://localhost:${port}${path}`,
    /** Sets the answer at a path; text is sent as it is, everything else as JSON. */
    serve (path: string, document: unknown, status = 200, headers: Record<string, string> = {}): void {
      answers.set(path, { text: typeof document === 'string' ? document : JSON.stringify(document), status, headers })
    },
    /** How often a path was asked for. */
    asked: (path: string) => counts.get(path) ?? 0,
    /** How many sockets were opened to it. */
    connections: () => sockets
  }
}
