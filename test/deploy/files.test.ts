// The files that operators deploy name what the product has, and agree with each other.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import schema from '#schemas/config.json' with { type: 'json' }
import { BOUNDS, readConfig, variable } from '../../src/config/config.js'
import { compose, imageEnvironment, kubernetes, read, shipped, stages, type Pod } from './files.js'
import { ROOT } from '../helpers/root.js'

const KNOWN = new Set(Object.entries(schema.properties).flatMap(([name, property]) => [variable(name), ...('writeOnly' in property ? [`${variable(name)}_FILE`] : [])]))
const { services } = compose()
const replicas = Object.entries(services).filter(([name]) => name.startsWith('server-')).map(([, service]) => service)
const nginx = read('scripts/deploy/nginx.conf')
const seconds = (text: string): number => {
  const [, amount, unit] = /^(\d+)(s|m|h)$/.exec(text)!
  return Number(amount) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h']
}
const withoutFiles = (environment: Record<string, string>) => Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')))
const said = (directive: string): string[] =>
  [...nginx.matchAll(new RegExp(`^ *${directive} (.*);`, 'gm'))].map(([, value]) => value!)

t.test('compose.yaml: three replicas without rights, secrets in files', async (t) => {
  t.equal(replicas.length, 3)
  for (const { environment = {}, user, read_only: readOnly, stop_grace_period: grace = '', volumes = [], depends_on: needed } of replicas) {
    for (const [name, value] of Object.entries(environment)) {
      t.ok(KNOWN.has(name), name)
      t.notMatch(`${value}`, /\w+:\/\/[^/]*@/, 'no password')
      if (name.endsWith('_FILE')) t.match(value, /^\/run\/secrets\//)
    }
    t.equal(environment['SESSION_SECRET'], undefined)
    t.match({ user, readOnly }, { user: /^[1-9]/, readOnly: true })
    t.same(volumes, ['./.secrets/server:/run/secrets:ro'])
    t.same(needed, { migrate: { condition: 'service_completed_successfully' }, valkey: { condition: 'service_healthy' } })
    const { drainSeconds, stopSeconds } = readConfig(withoutFiles(environment))
    t.ok(seconds(grace) > drainSeconds + stopSeconds, 'time to stop')
    const kept = Math.max(...said('keepalive_timeout').map(seconds).filter((value) => value < 60))
    t.ok(drainSeconds > kept, 'nginx lets go of connections while a replica still takes requests')
  }
  for (const [name, service] of Object.entries(services)) {
    t.equal(service.read_only, true, `${name} writes to no file system of its own`)
    t.same((service as { cap_drop?: string[] }).cap_drop, ['ALL'], name)
    t.match(service.image, /^exploration-mcp$|:\d+\.\d+\.\d+[\w.-]*$/, 'an exact tag')
  }
  t.equal(String(services['server-1']!.environment!['SAMPLE']), 'false', 'no key that never ends in a log')
  t.match(services['valkey']!.command!.join(' '), /--maxmemory-policy noeviction$/)
  t.match(services['nginx'], { user: /^[1-9]/, depends_on: { 'server-3': { condition: 'service_healthy' } } })
  t.notMatch(Object.values(services).map(({ environment = {} }) => JSON.stringify(environment)).join(), /password"?:/i)
})

t.test('secrets are made once, each service has its own, and what others need of them is in their addresses', async (t) => {
  const folder = t.testdir()
  const all = (): Record<string, string> => {
    execFileSync('sh', [`${ROOT}scripts/deploy/make-secrets.sh`, folder])
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => statSync(join(folder, file)).isFile())
    return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  }
  const made = all()
  t.same(all(), made, 'nothing is made anew')
  t.equal(statSync(folder).mode & 0o777, 0o700)
  t.same(Object.keys(made), ['migrate/database_url', 'postgres/owner_password', 'postgres/server_password', 'server/database_url', 'server/session_secret',
    'server/session_secret_previous', 'server/valkey_url', 'valkey/valkey.conf'])
  t.match(made['server/session_secret'], /^[0-9a-f]{64}$/)
  t.notOk(Object.entries(made).some(([file, text]) => file.startsWith('server/') && text.includes(made['postgres/owner_password']!)))
  const env = Object.fromEntries(Object.entries(replicas[0]!.environment!)
    .map(([name, value]) => [name, `${value}`.replace('/run/secrets', join(folder, 'server'))]))
  const { databaseUrl, valkeyUrl, sessionSecretPrevious } = readConfig(env)
  t.equal(new URL(databaseUrl!).password, made['postgres/server_password'])
  t.equal(`requirepass ${new URL(valkeyUrl!).password}\n`, made['valkey/valkey.conf'])
  t.same(sessionSecretPrevious, [])
})

// topology.test.ts shows the rest: each replica in its turn, streams as they come, and whose address is believed.
t.test('nginx.conf: no stream is cut, and the replicas refuse in their own words what is not far too large', async (t) => {
  t.ok(Math.min(...said('proxy_read_timeout').filter((value) => value !== '5s').map(seconds)) >= 25 * 60)
  t.match(said('client_max_body_size')[0], '2m')
  t.ok(BOUNDS.bodyLimitBytes < 2 * 1024 * 1024)
})

// image.test.ts builds it, and runs it without rights.
t.test('Dockerfile: exact versions of Node, settings that exist, no secret', async (t) => {
  for (const [from] of stages()) t.match(from!.text, /^node:24\.\d+-slim\b/)
  t.same(Object.keys(imageEnvironment()).filter((name) => !/^(?:NODE_(?:ENV|OPTIONS)|MALLOC_TRIM_THRESHOLD_)$/.test(name) && !KNOWN.has(name)), [])
  t.equal(shipped('EXPOSE'), imageEnvironment()['PORT'])
  t.notMatch(read('Dockerfile'), /^(ARG|ENV|COPY)\b.*(secret|password|token|\.env)/im)
})

t.test('kubernetes.yaml: its parts fit each other and the product', async (t) => {
  const all = kubernetes()
  const of = <Spec>(kind: string): Spec => all.find((one) => one.kind === kind)!.spec as Spec
  const kinds = ['Job', 'Deployment', 'Service', 'HTTPRoute', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy']
  t.same(all.map(({ kind }) => kind), kinds)

  const { template: server } = of<{ template: { metadata: { labels: object, annotations: Record<string, string> }, spec: Pod } }>('Deployment')
  const { template: migration } = of<{ template: { spec: Pod } }>('Job')
  for (const { securityContext, containers: [container], volumes } of [server.spec, migration.spec]) {
    t.match(securityContext, { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } })
    t.match(container!.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    for (const { name, value } of container!.env) {
      t.ok(KNOWN.has(name), name)
      if (name.endsWith('_FILE')) t.match(value, /^\/run\/secrets\/exploration-mcp\//)
    }
    t.ok(volumes.some(({ secret }) => secret))
  }
  t.not(server.spec.volumes[0]!.secret!.secretName, migration.spec.volumes[0]!.secret!.secretName, 'the server has no rights of the owner')
  const guide = read('scripts/deploy/README.md')
  for (const { spec } of [server, migration]) {
    t.ok(guide.includes(`create secret generic ${spec.volumes[0]!.secret!.secretName} `))
    for (const { name, value } of spec.containers[0]!.env) if (name.endsWith('_FILE')) t.ok(guide.includes(`${value.split('/').at(-1)}=`), name)
  }

  const [container] = server.spec.containers
  const { env, ports, startupProbe, livenessProbe, readinessProbe } = container!
  const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  const { drainSeconds, stopSeconds, metricsPort, metricsHost, port } = readConfig({ ...imageEnvironment(), ...withoutFiles(settings) })
  t.ok(server.spec.terminationGracePeriodSeconds > drainSeconds + stopSeconds)
  t.same(ports, [{ name: 'http', containerPort: port }, { name: 'metrics', containerPort: metricsPort }])
  t.equal(metricsHost, '0.0.0.0')
  t.equal(server.metadata.annotations['prometheus.io/port'], `${metricsPort}`)
  for (const [probe, path] of [[startupProbe, '/livez'], [livenessProbe, '/livez'], [readinessProbe, '/readyz']] as const) {
    t.match(probe.httpGet, { path, port: 'http' })
  }
  for (const kind of ['Service', 'PodDisruptionBudget']) {
    const { selector } = of<{ selector: { matchLabels?: object } }>(kind)
    t.match(server.metadata.labels, selector.matchLabels ?? selector)
  }
})
