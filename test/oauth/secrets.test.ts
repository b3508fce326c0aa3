// No secret of OAuth is in the database, the log, the wire log or a span.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, CLAUDE, decide, postForm, redeem, refresh, request } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'
import { redactText } from '../../src/lib/redact/redact.js'

t.test('looked for everywhere', async (t) => {
  meets('oauth-token-storage', 'oauth-security', 'oauth-client-types')
  const wireLog = join(t.testdir({}), 'wire.ndjson')
  const { app, db, log, backend, signIn, wide } = await webServer(t, { wireLog, logLevel: 'trace' } as Record<string, string>, undefined, { clientDocuments: { resolve: async () => [] } })
  const browser = await signIn(wide.id)
  const asked = request()
  const { ticket } = await authorize(browser, asked.query)
  const code = (await decide(browser, ticket)).searchParams.get('code') ?? ''
  const first = (await redeem(app, code, asked)).body
  const second = (await refresh(app, first.refresh_token)).body
  const client = (await backend.oauthClients.create({ kind: 'preregistered', name: 'c', redirectUris: ['https://a.example/'], refreshable: true, confidential: true }))!
  await postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: second.refresh_token, client_id: client.id, client_secret: client.secret })
  await callMcp(app, first.access_token, 'tools/call', { name: 'find_explorations', arguments: { query: second.access_token } })
  await callMcp(app, undefined, 'tools/list', {}, `/oauth/mcp?access_token=${first.access_token}`)
  await callMcp(app, second.refresh_token)
  await postForm(app, 'revoke', { token: first.access_token, client_id: CLAUDE.client_id })
  await app.close()

  const secrets = {
    code,
    access: first.access_token,
    refresh: first.refresh_token,
    next: second.access_token,
    last: second.refresh_token,
    client: client.secret!,
    verifier: asked.verifier
  }
  const tables = await db.query<{ name: string }>('select tablename as name from pg_tables where schemaname = current_schema()')
  const dump = (await Promise.all(tables.map(async ({ name }) => JSON.stringify(await db.query(`select row_to_json(r)::text from "${name}" r`))))).join('\n')
  const places = { database: dump, log: log.join('\n'), 'wire log': readFileSync(wireLog, 'utf8') }
  t.match(places['wire log'], '/oauth/mcp')
  t.match(places.log, '/oauth/mcp/token')
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(secrets)) {
      t.notOk(text.includes(secret), `${name} is not in the ${place}`)
      t.notOk(text.includes(Buffer.from(secret).toString('hex')), `${name} is not in the ${place}, in hexadecimal`)
    }
  }
})

t.test('each kind is recognised in texts', async (t) => {
  for (const prefix of ['at', 'rt', 'code', 'secret']) {
    const secret = `svc_${prefix}_${'A2'.repeat(26)}`
    for (const text of [secret, JSON.stringify({ a: secret }), encodeURIComponent(`x=${secret}&y`), Buffer.from(`client:${secret}`).toString('base64')]) {
      t.notMatch(redactText(text), /A2A2/, text.slice(0, 30))
    }
  }
})
