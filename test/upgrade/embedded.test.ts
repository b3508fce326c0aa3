// @own-process: starts servers of two builds.
// @no-services: the embedded database
// @any-node: proves the same on each version of Node.
// A data folder that an earlier build made opens with this one, and with that one again: the same credentials, the same answers.
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { PROGRAM } from '../helpers/program.js'
import { callTool, readEverything, startServer, withoutArchivedInCounts, type Answers } from '../helpers/server-process.js'
import { PREVIOUS, releasedBuild } from './released-build.js'

const NEW = PROGRAM.at(-1)!
const OLD = await releasedBuild(PREVIOUS)

/** The folder that a first start of the earlier build left, its key, and what its tools answered: made once, like the build. */
const firstStart = async (program: string): Promise<{ data: string, key: string, answers: Answers }> => {
  const made = join(dirname(program), '../first-start')
  if (!existsSync(made)) {
    const own = mkdtempSync(`${made}-`)
    const { endpoint, key = '', stop } = await startServer(t, program, ['--data', join(own, 'data')])
    writeFileSync(join(own, 'said.json'), JSON.stringify({ key, answers: await readEverything(endpoint, key) }))
    await stop()
    try {
      renameSync(own, made)
    } catch (error) {
      if (!existsSync(made)) throw error
      // Another run has made it meanwhile.
      rmSync(own, { recursive: true })
    }
  }
  return { data: join(made, 'data'), ...JSON.parse(readFileSync(join(made, 'said.json'), 'utf8')) }
}

t.test('a data folder of an earlier build', { skip: OLD === undefined && `no ${PREVIOUS} in the history` }, async (t) => {
  const { data: made, key, answers: before } = await firstStart(OLD!)
  const data = `${t.testdir()}/data`
  cpSync(made, data, { recursive: true })

  const server = await startServer(t, NEW, ['--data', data])
  t.equal(server.key, undefined, 'it is no first start')
  t.same(await readEverything(server.endpoint, key), withoutArchivedInCounts(before), 'the key is valid, and the tools answer the same')
  t.ok(Object.keys(before).length > 20, 'a good many answers')
  t.equal((await callTool(server.endpoint, `${key.slice(0, -1)}_`, 'ping')).status, 401)
  await server.stop()

  const back = await startServer(t, OLD!, ['--data', data])
  t.same(await readEverything(back.endpoint, key), before, 'the earlier build opens it again')
  await back.stop()
})
