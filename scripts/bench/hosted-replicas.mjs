// Three replicas behind nginx, by the file that is deployed, beside one behind the same nginx: how much more they answer.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { debian } from '../services/debian.mjs'
import { startNginx } from '../services/nginx.mjs'
import { freePort, stop } from '../services/process.mjs'
import { clientOf, load, modernCalls, start } from './hosted-load.mjs'

const REPLICAS = 3
const ROUNDS = 3
const REQUESTS = 3000
const AIM = 2.5
// What three replicas, the database, Valkey, nginx and the client would need to be out of each other's way.
const CORES = 8

/** nginx before these ports, balancing as it does where it is deployed. */
const behindNginx = async (root, ports) => {
  const folder = mkdtempSync(`${root}/srv/`)
  const inside = folder.slice(root.length)
  execFileSync('chroot', [root, 'chown', 'postgres:postgres', inside])
  const port = await freePort()
  const configuration = readFileSync(new URL('../deploy/nginx.conf', import.meta.url), 'utf8')
    .replace(/( *server server-\d:8080 .*\n)+/, ports.map((replica) => `    server 127.0.0.1:${replica};\n`).join(''))
    .replace('rate=50r/s', 'rate=1000000r/s')
    .replace('limit_conn connections 512', 'limit_conn connections 65535')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll(/\/dev\/std(?:out|err)\b/g, `${inside}/nginx.log`)
    .replaceAll(/(?<=\s)\/tmp\b/g, inside)
  const { pid } = await startNginx(root, inside, configuration, () => fetch(`http://127.0.0.1:${port}/livez`).then(({ ok }) => ok, () => false))
  const client = clientOf(port)
  return {
    send: client.send,
    async stop () {
      await client.close()
      await stop(root, { name: 'nginx', pid, signal: 'SIGTERM' })
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export const printReplicas = async (access) => {
  const root = debian()
  const replicas = []
  for (let n = 0; n < REPLICAS; n++) replicas.push(await start('product'))
  const ports = replicas.map(({ port }) => port)
  const contenders = [
    { name: 'one replica behind nginx', server: await behindNginx(root, ports.slice(0, 1)), rate: 0 },
    { name: 'three replicas behind nginx', server: await behindNginx(root, ports), rate: 0 }
  ]
  const calls = modernCalls(access)
  await load(contenders[1].server, calls, REPLICAS * REQUESTS)
  for (let n = 0; n < ROUNDS; n++) {
    for (const contender of contenders) {
      const begun = performance.now()
      await load(contender.server, calls, REQUESTS)
      contender.rate = Math.max(contender.rate, REQUESTS / (performance.now() - begun) * 1000)
    }
  }
  const [one, three] = contenders
  const cores = availableParallelism()
  console.log(`\n${one.name}: ${one.rate.toFixed(0)} a second; ${three.name}: ${three.rate.toFixed(0)} a second, ${(three.rate / one.rate).toFixed(2)} times as many ` +
    (cores < CORES ? `(aim: ${AIM} where cores allow; ${cores} cores are shared by all of them, the database, Valkey and the client)` : `(aim: ${AIM})`))
  for (const { server } of contenders) await server.stop()
  for (const replica of replicas) await replica.stop()
}
