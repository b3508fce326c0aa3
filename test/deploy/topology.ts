/**
 * What `docker compose up` starts, as processes: the same secrets, roles, commands, environment and nginx file, at other addresses.
 * Needs root and the services' own Debian.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { DEBIAN, folderInside, giveToPostgres } from '../../scripts/services/debian.mjs'
import { freePort, runInside, startInside, stop, type Started } from '../../scripts/services/process.mjs'
import { startNginx, startPostgres } from '../../scripts/services/services.mjs'
import { ROOT } from '../helpers/root.js'
import { compose, imageEnvironment, read } from './files.js'

export const NO_TOPOLOGY = (process.env['TEST_DATABASE_URL'] === undefined || process.getuid?.() !== 0) && 'no TEST_DATABASE_URL, or not root'

export const REPLICAS = ['server-1', 'server-2', 'server-3'] as const
export type Replica = typeof REPLICAS[number]

/** `extra` is set for each replica beside what compose.yaml says. */
export const topology = async (t: Test, extra: Record<string, string> = {}) => {
  const { services } = compose()
  const inside = folderInside()
  const place = DEBIAN + inside
  const started: Started[] = []
  const running = new Map<Replica, ChildProcess>()
  t.teardown(async () => {
    for (const child of running.values()) child.kill('SIGKILL')
    for (const service of started.reverse()) await stop(service)
    rmSync(place, { recursive: true, force: true })
  })

  const secrets = `${place}/secrets`
  mkdirSync(secrets)
  execFileSync('sh', [`${ROOT}scripts/deploy/make-secrets.sh`, secrets])
  // Each service is given its own folder of them.
  for (const service of ['postgres', 'valkey', 'migrate', 'server']) cpSync(`${secrets}/${service}`, `${place}/${service}/secrets`, { recursive: true })
  for (const service of ['postgres', 'nginx']) mkdirSync(`${place}/${service}/tmp`, { recursive: true })
  giveToPostgres(inside)

  const password = readFileSync(`${secrets}/postgres/owner_password`, 'utf8')
  const database = await startPostgres(`${inside}/postgres`, { user: 'exploration_owner', password })
  started.push({ name: 'PostgreSQL', pid: database.pid, signal: 'SIGINT' })
  const ports: Record<string, number> = { postgres: database.port, valkey: await freePort(), nginx: await freePort() }
  for (const name of REPLICAS) Object.assign(ports, { [name]: await freePort(), [`${name} metrics`]: await freePort() })

  /** The one place in which this differs from the containers: addresses, and folders below one. */
  const here = (text: string, service: string): string => text
    .replaceAll(/\b(postgres|valkey|server-\d):(?:5432|6379|8080)\b/g, (_, name: string) => `127.0.0.1:${ports[name]}`)
    .replaceAll(/\blocalhost:8080\b/g, `localhost:${ports['nginx']}`)
    .replaceAll('listen 8080', `listen 127.0.0.1:${ports['nginx']}`)
    // Debian's nginx is older than the image's; these addresses stay.
    .replaceAll(' resolve ', ' ')
    // All clients of the test have one address.
    .replace('rate=50r/s', 'rate=100000r/s')
    .replaceAll(/\/dev\/std(?:out|err)\b/g, `${inside}/${service}/nginx.log`)
    .replaceAll('/run/secrets', `${inside}/${service}/secrets`)
    .replaceAll(/(?<=[\s:])\/tmp\b/g, `${inside}/${service}/tmp`)
    .replaceAll(/\bvalkey-cli\b/g, `valkey-cli -p ${ports['valkey']}`)
    .replaceAll('$$', '$')

  const superuser = {
    PGHOST: '127.0.0.1', PGPORT: `${ports['postgres']}`, PGUSER: 'exploration_owner', PGPASSWORD: password
  }
  const postgres = (program: string, ...args: string[]): void => { runInside([program, ...args], superuser) }
  const { POSTGRES_DB = '', POSTGRES_USER = '' } = services['postgres']!.environment!
  postgres('createdb', POSTGRES_DB)
  writeFileSync(`${place}/postgres/create-server-role.sh`, here(read('scripts/deploy/create-server-role.sh'), 'postgres'))
  runInside(['sh', `${inside}/postgres/create-server-role.sh`], {
    ...superuser, POSTGRES_DB, POSTGRES_USER
  })

  const { entrypoint, command, healthcheck } = services['valkey']!
  const valkey = await startInside(`${inside}/valkey/log`, [
    ...[...entrypoint!, ...command!].map((word) => here(`${word}`, 'valkey')), '--bind', '127.0.0.1', '--port', `${ports['valkey']}`, '--dir', `${inside}/valkey`
  ], () => runInside(['sh', '-c', here(healthcheck!.test[1]!, 'valkey')]))
  started.push({ name: 'Valkey', pid: valkey, signal: 'SIGTERM' })

  const environment = (name: string, folder: string): Record<string, string> => {
    const given = {
      ...imageEnvironment(),
      ...services[name]!.environment,
      SAMPLE: 'true',
      ...extra,
      HOST: '127.0.0.1',
      PORT: `${ports[name] ?? 0}`,
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: `${ports[`${name} metrics`] ?? 0}`
    }
    const all = Object.entries(given).map(([variable, value]) => [variable, here(`${value}`, folder).replace(inside, place)])
    return { PATH: process.env['PATH'], ...Object.fromEntries(all) }
  }
  for (const file of ['migrate/secrets/database_url', 'server/secrets/database_url', 'server/secrets/valkey_url']) {
    writeFileSync(`${place}/${file}`, here(readFileSync(`${place}/${file}`, 'utf8'), ''))
  }
  const program = `${ROOT}dist/cli.js`
  execFileSync(process.execPath, [program, ...services['migrate']!.command!], {
    env: environment('migrate', 'migrate'), stdio: ['ignore', 'ignore', 'inherit']
  })

  let log = ''
  const start = async (replica: Replica, changed: Record<string, string> = {}): Promise<string> => {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: { ...environment(replica, 'server'), ...changed }, stdio: ['ignore', 'pipe', 'pipe']
    })
    running.set(replica, child)
    child.stderr.on('data', (chunk: Buffer) => { log += chunk.toString() })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => { said += chunk.toString() })
    const ended = once(child, 'exit').then(() => { throw new Error(`${replica} does not start: ${log}`) })
    await Promise.race([once(createInterface(child.stdout), 'line'), ended])
    return said
  }
  const said = (await Promise.all(REPLICAS.map((replica) => start(replica)))).join('')

  const url = `http://127.0.0.1:${ports['nginx']}`
  const nginx = await startNginx(`${inside}/nginx`, here(read('scripts/deploy/nginx.conf'), 'nginx'), `${url}/readyz`)
  started.push({ name: 'nginx', pid: nginx, signal: 'SIGTERM' })

  const run = (changed: Record<string, string>, args: string[]): string => execFileSync(process.execPath, [program, ...args], {
    env: { ...environment('server-1', 'server'), ...changed }, encoding: 'utf8', maxBuffer: 2 ** 30
  })
  return {
    /** Where clients come. */
    url,
    /** What the replicas printed at their first start. */
    said,
    urlOf: (replica: Replica) => `http://127.0.0.1:${ports[replica]}`,
    metrics: async (replica: Replica) => (await fetch(`http://127.0.0.1:${ports[`${replica} metrics`]}/metrics`)).text(),
    start,
    async stop (replica: Replica, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      const child = running.get(replica)!
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
    /** As `docker compose exec server-1` does. */
    run: (...args: string[]) => run({}, args),
    runWith: (changed: Record<string, string>, ...args: string[]) => run(changed, args),
    /** A program of PostgreSQL, as the owner; files are named by where they are seen from inside. */
    postgres,
    inside,
    /** The address by which the replicas reach another database of the same PostgreSQL. */
    database: (name: string) => Object.assign(new URL(readFileSync(`${place}/server/secrets/database_url`, 'utf8').trim()), { pathname: `/${name}` }).href,
    /** The lines of nginx's log. */
    passed: (): Array<{ from: string, path: string, status: number, replica: string }> => readFileSync(`${place}/nginx/nginx.log`, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)),
    log: () => log
  }
}
