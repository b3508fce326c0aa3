// The rules for Prometheus are what it loads, and name figures and labels that a server exposes.
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { prometheus } from '../../src/telemetry/prometheus.js'
import { build, modern } from '../helpers/build.js'
import { ROOT } from '../helpers/root.js'
import { read } from './files.js'

const FILE = 'scripts/deploy/alerts.yaml'

interface Rule { alert: string, expr: string, for?: string, labels: { severity: string }, annotations: { summary: string, action: string } }
interface Rules { groups: Array<{ name: string, rules: Rule[] }> }

const { groups } = parse(read(FILE), { strict: true, uniqueKeys: true }) as Rules
const rules = groups.flatMap(({ rules }) => rules)

/** Of Prometheus itself and of its node_exporter. */
const OF_OTHERS = new Set(['up', 'node_filesystem_avail_bytes', 'node_filesystem_size_bytes'])
/** Of each scrape, and of no figure. */
const OF_SCRAPES = new Set(['job', 'instance', 'le'])
const FUNCTIONS = new Set([
  'absent', 'and', 'by', 'changes', 'count', 'delta', 'histogram_quantile', 'or', 'predict_linear', 'rate', 'sum'
])

/** Names and the labels that are asked of them, in an expression. */
const selectors = (expr: string): Array<{ name: string, labels: string[] }> => {
  const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '))
  const bare = expr.replaceAll(/\bby \([^)]*\)/g, 'by').replaceAll(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/\b([a-z_]\w*)(?:\{([^}]*)\})?/g)]
    .filter(([, name = '', labels]) => labels !== undefined || !FUNCTIONS.has(name))
    .map(([, name = '', labels = '']) => ({
      name, labels: [...[...labels.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label]) => label!), ...grouping]
    }))
}

t.test('each rule is one that Prometheus loads, and says what to do', async (t) => {
  t.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, expr, labels, annotations, ...rest } of rules) {
    t.match(alert, /^[A-Z][A-Za-z]+$/)
    t.ok(expr.length > 0 && ['page', 'ticket'].includes(labels.severity), alert)
    t.match(annotations, { summary: /./, action: /[.]$/ }, alert)
    t.same(Object.keys(rest).filter((key) => key !== 'for'), [], alert)
    if (rest.for !== undefined) t.match(rest.for, /^\d+[smh]$/)
  }
})

const noPromtool = spawnSync('promtool', ['--version']).status !== 0 && 'no promtool here (Debian: apt-get install prometheus)'
t.test('promtool accepts them', { skip: noPromtool }, async (t) => {
  t.match(execFileSync('promtool', ['check', 'rules', join(ROOT, FILE)], { encoding: 'utf8' }), `SUCCESS: ${rules.length} rules found`)
})

t.test('each figure and label exists', async (t) => {
  const figures = prometheus()
  const { app, key } = await build(t, { rateLimitReadPerMinute: '1', failedAuthPerMinute: '1' }, [], undefined, undefined, {
    metrics: figures,
    databaseConnections: () => ({ inUse: 0, idle: 0, waiting: 0 }),
    valkey: { away: false, watch: () => {} },
    searchIndex: { state: async () => ({ pending: 0 }) as never }
  })
  await modern(app, key, 'tools/call', { name: 'ping', arguments: {} })
  await modern(app, key, 'tools/call', { name: 'ping', arguments: {} })
  await app.inject({ url: '/readyz', headers: { host: 'localhost' } })
  const { text } = await figures.scrape()
  const exposed = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? /gm)) {
    const known = exposed.get(name) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!)
    exposed.set(name, known)
  }
  const found = rules.flatMap(({ alert, expr }) => selectors(expr).map((selector) => ({ alert, ...selector })))
  t.ok(found.length >= rules.length)
  for (const { alert, name, labels } of found) {
    if (OF_OTHERS.has(name)) continue
    t.ok(exposed.has(name), `${alert}: ${name}`)
    for (const label of labels) t.ok(OF_SCRAPES.has(label) || exposed.get(name)?.has(label), `${alert}: ${name} has ${label}`)
  }
})

t.test('each state that the guide names has its rule', async (t) => {
  const guide = read('scripts/deploy/README.md')
  const named = [...guide.slice(guide.indexOf('## What to watch')).matchAll(/^\| `(?:rate\()?(mcp_\w+)/gm)].map(([, name]) => name!)
  t.ok(named.length >= 6)
  for (const name of named) t.ok(rules.some(({ expr }) => expr.includes(name)), name)
})
