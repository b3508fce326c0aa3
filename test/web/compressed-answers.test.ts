/** What the pages read is compressed, apart from what holds a secret. */
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { importWebRecords, LARGE } from '../helpers/web-records.js'
import { ORIGIN, webServer } from '../helpers/web.js'

t.test('answers of the API', async (t) => {
  const { app, db, wide, signIn } = await webServer(t)
  await importWebRecords(db)
  const { cookies } = await signIn(wide.id)
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join('; ')
  const get = (path: string, headers: Record<string, string> = {}) => app.inject({
    url: `/web/v1${path}`, headers: { host: 'localhost:8080', cookie, 'accept-encoding': 'gzip, deflate, br', ...headers }
  })
  for (const [path, least] of [[`/explorations/${LARGE}/plan`, 6], ['/explorations?limit=50', 3]] as const) {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    const packed = await get(path)
    t.match(packed, { statusCode: 200, headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/ } }, path)
    t.equal(gunzipSync(packed.rawPayload).toString(), plain.body, `${path}: the same`)
    t.equal(packed.headers['content-length'], String(packed.rawPayload.length))
    t.ok(plain.rawPayload.length > least * packed.rawPayload.length, `${path}: ${plain.rawPayload.length} → ${packed.rawPayload.length} bytes`)
    const refusing = ['identity', 'gzip;q=0', ''].map((encoding) => get(path, { 'accept-encoding': encoding }))
    for (const { headers } of await Promise.all([...refusing, get(path, { 'sec-fetch-site': 'cross-site' }), get(path, { 'sec-fetch-site': 'same-site' })])) {
      t.equal(headers['content-encoding'], undefined)
      t.match(headers.vary, /Accept-Encoding/)
    }
  }
  const download = await get('/audit-events/export?format=csv', { 'sec-fetch-site': 'same-origin' })
  t.match(download, { statusCode: 200, headers: { 'content-encoding': 'gzip', 'content-disposition': /attachment/ } })
  t.match(gunzipSync(download.rawPayload).toString(), /^"?at"?,|^[\w"]+,/m)
  t.equal((await get('/tokens')).headers['content-encoding'], undefined, 'a short answer is sent as it is')

  const workspaces = (await db.query<{ id: string }>('select id from workspaces')).map(({ id }) => id)
  for (const path of ['/tokens', '/keys']) {
    const created = await app.inject({
      method: 'POST',
      url: `/web/v1${path}`,
      headers: { host: 'localhost:8080', origin: ORIGIN, 'x-exploration-mcp': 'web', cookie, 'accept-encoding': 'gzip' },
      payload: { name: '"'.repeat(200), scope: 'read', expires_in_days: 7, workspaces }
    })
    t.equal(created.statusCode, 201)
    t.type(created.json<{ secret: unknown }>().secret, 'string')
    t.ok(created.body.length > 1000, `long enough: ${created.body.length}`)
    t.equal(created.headers['content-encoding'], undefined, `${path}: an answer with a secret is not compressed`)
  }
})
