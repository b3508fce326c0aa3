// The backup of an embedded server: its folder, copied while nobody serves from it.
// @no-services: the program, on the embedded database
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { session, wireTo } from '../helpers/wire.js'
import { PROGRAM } from '../helpers/program.js'

t.test('a copied data folder serves what there was: the key, the session, the secret that signed it', async (t) => {
  const serve = async (data: string) => {
    const child = spawn(process.execPath, [...PROGRAM, 'serve', '--port', '0', '--data', data], {
      // However busy the machine is: no request is refused for it.
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', OVERLOAD_DELAY_MS: '0' }, stdio: ['ignore', 'pipe', 'inherit']
    })
    t.teardown(() => child.kill('SIGKILL'))
    const [said] = await once(child.stdout, 'data')
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return { said: String(said), endpoint: /http:\S+/.exec(String(said))![0], stop }
  }
  const [data, copy] = [join(t.testdir(), 'data'), join(t.testdir(), 'copy')]
  const first = await serve(data)
  const key = /svc_key_\S+/.exec(first.said)![0]
  const headers = await session(wireTo(t, first.endpoint, key))
  await first.stop()
  cpSync(data, copy, { recursive: true })
  rmSync(data, { recursive: true })
  const second = await serve(copy)
  t.notMatch(second.said, /svc_key_/, 'no first start')
  const reply = await wireTo(t, second.endpoint, key).post({
    id: 1, method: 'tools/call', params: { name: 'find_explorations', arguments: { query: 'instalments' } }
  }, headers)
  t.match(await reply.message(), { result: { structuredContent: { explorations: [{ title: /instalments/ }] } } })
  await second.stop()
})
