// @own-process: starts servers of two builds.
// @any-node: proves the same on each version of Node.
// A data folder that an earlier build made opens with this one, and with that one again: the same credentials, the same answers.
import t from 'tap'
import { PROGRAM } from '../helpers/program.js'
import { PREVIOUS, releasedBuild } from './released-build.js'
import { callTool, readEverything, startServer, withoutArchivedInCounts } from './server-process.js'

const NEW = PROGRAM.at(-1)!
const OLD = await releasedBuild(PREVIOUS)

t.test('a data folder of an earlier build', { skip: OLD === undefined && `no ${PREVIOUS} in the history` }, async (t) => {
  const data = `${t.testdir()}/data`
  const old = await startServer(t, OLD!, ['--data', data])
  const before = await readEverything(old.endpoint, old.key!)
  await old.stop()

  const server = await startServer(t, NEW, ['--data', data])
  t.equal(server.key, undefined, 'it is no first start')
  t.same(await readEverything(server.endpoint, old.key!), withoutArchivedInCounts(before), 'the key is valid, and the tools answer the same')
  t.ok(Object.keys(before).length > 20, 'a good many answers')
  t.equal((await callTool(server.endpoint, `${old.key!.slice(0, -1)}_`, 'ping')).status, 401)
  await server.stop()

  const back = await startServer(t, OLD!, ['--data', data])
  t.same(await readEverything(back.endpoint, old.key!), before, 'the earlier build opens it again')
  await back.stop()
})
