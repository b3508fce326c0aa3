// What a server does when the thread of its embedded database ends: it says so and ends too, and no request waits for ever.
// @no-services: on the embedded database
import t from 'tap'
import { backendOn } from '../../src/server/backend.js'
import { toolCall } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { testConfig } from '../helpers/config.js'
import { leaseEmbedded } from '../helpers/embedded-database.js'

t.test('it says so and ends with an error; no request waits for ever', async (t) => {
  const db = await leaseEmbedded('sample')
  let crash = (_reason: Error): void => {}
  const crashed = new Promise<Error>((resolve) => { crash = resolve })
  const backend = await backendOn({ ...db, crashed }, testConfig())
  const cli = commandLine(t, { env: { STOP_SECONDS: '1' }, openBackend: async () => backend })
  const [user] = await backend.directory.listUsers()
  const { key } = await backend.credentials.createKey({ user: user!.id, name: 'k', scope: 'read' })
  const { hello, ended } = await cli.serve()
  const ping = async (): Promise<number | string> =>
    fetch(/http:\S+\/mcp/.exec(hello)![0], { ...toolCall(key, 'ping') }).then(({ status }) => status, () => 'closed')
  t.equal(await ping(), 200)

  const before = Array.from({ length: 20 }, ping)
  await db.close()
  crash(new Error('The embedded database ended by itself (unreachable executed).'))
  const after = Array.from({ length: 20 }, ping)
  t.match(await ended, { code: 1, err: /^The embedded database ended by itself \(unreachable executed\)\. Start the server again/m })
  const answers = new Set(await Promise.all([...before, ...after]))
  t.same([...answers].filter((answer) => ![200, 429, 500, 503, 'closed'].includes(answer)), [], [...answers].join())
})
