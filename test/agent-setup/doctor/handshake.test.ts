import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { handshake } from '../../../src/agent-setup/doctor/handshake.js'
import { readingTools as tools } from '../../helpers/reading-tools.js'
import { build } from '../../helpers/build.js'
import { listeningPort } from '../../helpers/listening-port.js'

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })

const listen = async (t: Test, listener: RequestListener): Promise<URL> =>
  new URL(`http://127.0.0.1:${await listeningPort(t, createServer(listener))}/mcp`)

t.test('both eras; why not, in the server\'s words; and nothing is left behind', async (t) => {
  const { app, key, db } = await build(t)
  const url = new URL(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
  t.strictSame(await handshake(url, bearer(key)), { ok: true, eras: ['legacy', 'modern'], tools: tools.length })
  t.equal((await db.query('select 1 from ended_sessions')).length, 1, 'the session that it opened is ended')
  t.match(await handshake(url, bearer('svc_pat_' + 'A'.repeat(32))), { ok: false, reason: /revoked or expired/ })
  t.match(await handshake(url, { Authorization: `Bearer  ${key}` }), { ok: false, reason: /more than one space/ })
  t.match(await handshake(url, {}), { ok: false, reason: /no Authorization header/ })
  t.match(await handshake(new URL('/elsewhere', url), bearer(key)), { ok: false, reason: /check the URL/ })
})

t.test('one era, and as a stream', async (t) => {
  for (const [flags, eras] of [[{ revisions: '2025-11-25', replyMode: 'sse' }, ['legacy']], [{ revisions: '2026-07-28' }, ['modern']]] as const) {
    const { app, key } = await build(t, flags)
    const url = new URL(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
    t.strictSame(await handshake(url, bearer(key)), { ok: true, eras, tools: tools.length }, JSON.stringify(flags))
  }
})

t.test('a redirect is not followed, no one is waited for, and no answer is endless', async (t) => {
  let asked = 0
  const elsewhere = await listen(t, (_, reply) => { asked++; reply.end() })
  const redirect = await listen(t, (_, reply) => { reply.writeHead(308, { location: elsewhere.href }).end() })
  t.match(await handshake(redirect, bearer('svc_pat_x')), {
    ok: false, reason: new RegExp(`redirects to ${elsewhere.href}`)
  })
  t.equal(asked, 0)
  t.match(await handshake(new URL('http://127.0.0.1:1/mcp'), {}), {
    ok: false, unreachable: true, reason: /127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)/
  })
  const endless = await listen(t, (_, reply) => {
    const more = (): void => { while (reply.write('x'.repeat(100_000)) && !reply.destroyed); }
    reply.on('drain', more)
    more()
  })
  t.match(await handshake(endless, {}), { ok: false, reason: /too long/ })
})
