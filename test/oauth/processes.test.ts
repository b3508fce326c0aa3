// Processes of one application refresh their connection forty times at once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { modernRequest } from '../helpers/build.js'
import { CLAUDE, connect, form } from '../helpers/oauth.js'
import { ORIGIN, webServer } from '../helpers/web.js'

const PROCESSES = 4
const CALLERS = 40

// Waits for a line, so that all begin together. Each of its callers refreshes, and calls a tool with what it got, over connections of its
// own: to the server they are processes. Prints both statuses of each.
const CLIENT = `
const { request } = require('node:http')
const { url, refresh, call, callers } = JSON.parse(process.env.TASK)
const send = (path, headers, body) => new Promise((resolve, reject) => {
  request(url + path, { method: 'POST', headers, agent: false }, (reply) => {
    let text = ''
    reply.on('data', (chunk) => { text += chunk }).on('end', () => resolve({ status: reply.statusCode, text }))
  }).on('error', reject).end(body)
})
const run = async () => {
  const refreshed = await send('/oauth/mcp/token', { 'content-type': 'application/x-www-form-urlencoded' }, refresh)
  const { access_token: token } = JSON.parse(refreshed.text)
  const called = await send('/oauth/mcp', { ...call.headers, authorization: 'Bearer ' + token }, call.body)
  return { refreshed: refreshed.status, called: called.status, token }
}
process.stdout.write('ready\\n')
process.stdin.once('data', async () => {
  console.log(JSON.stringify(await Promise.all(Array.from({ length: callers }, run))))
  process.exit()
})
`

interface Outcome { refreshed: number, called: number, token: string }

t.test('forty callers in four processes refresh with one token at once; each gets an access token that works', async (t) => {
  const { app, signIn, wide } = await webServer(t, { publicUrl: ORIGIN, concurrentCalls: '40' }, undefined, { clientDocuments: { resolve: async () => [] } })
  const { refresh_token: token } = await connect(app, await signIn(wide.id))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const task = {
    url,
    refresh: form({ grant_type: 'refresh_token', refresh_token: token, client_id: CLAUDE.client_id }),
    callers: CALLERS / PROCESSES,
    call: modernRequest(undefined, 'tools/call', { name: 'list_workspaces', arguments: {} })
  }
  const clients = Array.from({ length: PROCESSES }, () => spawn(process.execPath, ['-e', CLIENT], {
    env: { TASK: JSON.stringify(task) }, stdio: ['pipe', 'pipe', 'inherit']
  }))
  t.teardown(() => { for (const client of clients) client.kill() })
  await Promise.all(clients.map(({ stdout }) => once(stdout, 'data')))
  const outputs = clients.map(({ stdout }) => text(stdout))
  for (const { stdin } of clients) stdin.write('go\n')
  const outcomes = (await Promise.all(outputs)).flatMap((output) => JSON.parse(output) as Outcome[])
  t.same(outcomes.map(({ refreshed }) => refreshed), Array(CALLERS).fill(200))
  t.same(outcomes.map(({ called }) => called), Array(CALLERS).fill(200))
  t.equal(new Set(outcomes.map(({ token }) => token)).size, CALLERS, 'each has its own')
})
