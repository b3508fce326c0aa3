// nginx in front of two deployments: each credential leads to its own, whatever the router knew before.
import { mkdirSync, rmSync } from 'node:fs'
import { request } from 'undici'
import t from 'tap'
import { DEBIAN, folderInside, giveToPostgres } from '../../scripts/services/debian.mjs'
import { freePort, stop } from '../../scripts/services/process.mjs'
import { startNginx } from '../../scripts/services/services.mjs'
import { modernRequest } from '../helpers/build.js'
import { webServer } from '../helpers/web.js'
import { read } from './files.js'
import { NO_TOPOLOGY } from './topology.js'

t.test('two cells behind one address', { skip: NO_TOPOLOGY }, async (t) => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const cells = await Promise.all(['first', 'second'].map(async () => {
    const { app, backend, db, wide } = await webServer(t, { publicUrl, trustProxy: '1' })
    const [{ tag }] = await db.query<{ tag: string }>('select tag from deployment') as [{ tag: string }]
    const { key, id } = await backend.credentials.createKey({ user: wide.id, name: 'agent', scope: 'read' })
    const { token } = await backend.credentials.createToken({ user: wide.id, name: 'laptop' })
    return { address: new URL(await app.listen({ host: '127.0.0.1', port: 0 })).host, tag, key, id, token, backend }
  }))
  const [one, two] = cells as [typeof cells[number], typeof cells[number]]
  t.not(one.tag, two.tag)

  const inside = folderInside()
  mkdirSync(`${DEBIAN}${inside}/tmp`)
  giveToPostgres(inside)
  const configuration = read('scripts/deploy/cells.nginx.conf')
    .replaceAll('cell-1:8080', one.address).replaceAll('cell-2:8080', two.address)
    .replaceAll('TAGONE', one.tag).replaceAll('TAGTWO', two.tag)
    .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/dev/stderr', `${inside}/nginx.log`).replaceAll(/(?<=[\s:])\/tmp\b/g, `${inside}/tmp`)
  const pid = await startNginx(inside, configuration, `http://127.0.0.1:${port}/livez`)
  t.teardown(async () => {
    await stop({ name: 'nginx', pid, signal: 'SIGTERM' })
    rmSync(DEBIAN + inside, { recursive: true, force: true })
  })

  const call = async (authorization: string) => {
    const { headers, ...call } = modernRequest(undefined, 'tools/call', { name: 'list_workspaces', arguments: {} })
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/mcp`, {
      ...call, headers: { ...headers, host: `localhost:${port}`, authorization }
    })
    return { status: statusCode, text: await body.text() }
  }
  const callsIn = async ({ backend }: typeof one) =>
    (await backend.audit.list({ limit: 100, action: 'tools/call list_workspaces' })).length

  for (const cell of [one, two]) {
    const other = cell === one ? two : one
    for (const secret of [cell.key, cell.token]) {
      const [here, there] = [await callsIn(cell), await callsIn(other)]
      t.equal((await call(`Bearer ${secret}`)).status, 200)
      t.equal(await callsIn(cell), here + 1, 'its own deployment answered')
      t.equal(await callsIn(other), there, 'the other one heard nothing')
    }
  }
  t.match(await call('Bearer nonsense'), { status: 401, text: /jsonrpc/ }, 'a refusal says what is wrong')

  await two.backend.credentials.revoke('api_key', two.id)
  t.equal((await call(`Bearer ${two.key}`)).status, 401, 'revoked at once')
  t.equal((await call(`Bearer ${one.key}`)).status, 200)
})
