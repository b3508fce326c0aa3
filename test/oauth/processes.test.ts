// Forty processes of one application refresh their connection at once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { modernRequest } from '../helpers/build.js'
import { CLAUDE, connect, form } from '../helpers/oauth.js'
import { ORIGIN, webServer } from '../helpers/web.js'

const PROCESSES = 40

// Waits for a line, so that all begin together; refreshes, calls a tool with what it got, and prints both statuses.
const CLIENT = `
const { request } = require('node:http')
const { url, refresh, call } = JSON.parse(process.env.TASK)
const send = (path, headers, body) => new Promise((resolve, reject) => {
  request(url + path, { method: 'POST', headers }, (reply) => {
    let text = ''
    reply.on('data', (chunk) => { text += chunk }).on('end', () => resolve({ status: reply.statusCode, text }))
  }).on('error', reject).end(body)
})
process.stdout.write('ready\\n')
process.stdin.once('data', async () => {
  const refreshed = await send('/oauth/mcp/token', { 'content-type': 'application/x-www-form-urlencoded' }, refresh)
  const { access_token: token } = JSON.parse(refreshed.text)
  const called = await send('/oauth/mcp', { ...call.headers, authorization: 'Bearer ' + token }, call.body)
  console.log(JSON.stringify({ refreshed: refreshed.status, called: called.status, token }))
  process.exit()
})
`

t.test('forty processes refresh with one token at once; each gets an access token that works', async (t) => {
  const { app, signIn, wide } = await webServer(t, { publicUrl: ORIGIN, concurrentCalls: '40' }, undefined, { clientDocuments: { resolve: async () => [] } })
  const { refresh_token: token } = await connect(app, await signIn(wide.id))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const task = {
    url,
    refresh: form({ grant_type: 'refresh_token', refresh_token: token, client_id: CLAUDE.client_id }),
    call: modernRequest(undefined, 'tools/call', { name: 'list_workspaces', arguments: {} })
  }
  const clients = Array.from({ length: PROCESSES }, () => spawn(process.execPath, ['-e', CLIENT], {
    env: { TASK: JSON.stringify(task) }, stdio: ['pipe', 'pipe', 'inherit']
  }))
  t.teardown(() => { for (const client of clients) client.kill() })
  await Promise.all(clients.map(({ stdout }) => once(stdout, 'data')))
  const outputs = clients.map(({ stdout }) => text(stdout))
  for (const { stdin } of clients) stdin.write('go\n')
  const outcomes = (await Promise.all(outputs)).map((output) => JSON.parse(output) as { refreshed: number, called: number, token: string })
  t.same(outcomes.map(({ refreshed }) => refreshed), Array(PROCESSES).fill(200))
  t.same(outcomes.map(({ called }) => called), Array(PROCESSES).fill(200))
  t.equal(new Set(outcomes.map(({ token }) => token)).size, PROCESSES, 'each has its own')
})
