import { createServer } from 'node:http'
import t from 'tap'
import { initialize, send, type McpAnswer } from '../../../src/agent-setup/doctor/mcp-client.js'
import { listeningPort } from '../../helpers/listening-port.js'

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'
const SPLIT = MESSAGE.replace(',"result"', ',\n"result"').split('\n')

const STREAMS: ReadonlyArray<readonly [name: string, text: string]> = [
  ['LF', `event: message\ndata: ${MESSAGE}\n\n`],
  ['CR LF', `event: message\r\ndata: ${MESSAGE}\r\n\r\n`],
  ['CR', `event: message\rdata: ${MESSAGE}\r\r`],
  ['a byte order mark', `\uFEFFdata: ${MESSAGE}\n\n`],
  ['data of several lines', `data: ${SPLIT[0]}\ndata: ${SPLIT[1]}\n\n`],
  ['data of several lines, CR', `data: ${SPLIT[0]}\rdata:${SPLIT[1]}\r\r`],
  ['comments, a priming event and a notification before it',
    `: keep-alive\n\nid: c-1:0\ndata: \n\nretry: 10\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\ndata: ${MESSAGE}\n\n`],
  ['no blank line at the end', `data: ${MESSAGE}`]
]

t.test('the response is found in an event stream, however its lines end', async (t) => {
  let body = ''
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
  })
  const url = new URL(`http://127.0.0.1:${await listeningPort(t, server)}/mcp`)
  for (const [name, text] of STREAMS) {
    body = text
    t.strictSame((await send({ url }, initialize) as McpAnswer).message?.result, { ok: true }, name)
  }
})
