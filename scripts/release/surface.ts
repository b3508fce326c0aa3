/**
 * All that a program outside of this repository can rely on, by area: names, and for each what such a program can notice of it. Texts for
 * people are not part of it. docs/reference/stability.md says what each area promises.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Argument, Command } from 'commander'
import fastify from 'fastify'
import config from '#schemas/config.json' with { type: 'json' }
import type { CliContext } from '../../src/cli/cli-context.js'
import { program } from '../../src/cli/program.js'
import { EXIT_CODES } from '../../src/client-testing/exit-codes.js'
import { variable } from '../../src/config/config.js'
import { FAULTS } from '../../src/engine/eras/faults.js'
import { METHODS } from '../../src/engine/methods/index.js'
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../src/engine/revisions.js'
import { resources } from '../../src/planning/resources/index.js'
import { tools } from '../../src/planning/tools/index.js'
import { callers } from '../../src/platform-api/client/credential-operations.js'
import { PREFIX, type OperationSpec } from '../../src/platform-api/client/operation.js'
import { records as recordOperations } from '../../src/platform-api/client/record-operations.js'
import { sessions } from '../../src/platform-api/client/session-operations.js'
import { gauges } from '../../src/telemetry/gauges.js'
import { prometheus } from '../../src/telemetry/prometheus.js'
import { engineSurface, signatureOf } from '../docs/engine-surface.js'
import { ROOT } from '../test/compile.mjs'

/** Signatures by name. */
export type Names = Record<string, string>
export type Surface = Record<string, Names>

const FOR_PEOPLE = new Set(['$schema', '$id', 'title', 'description', 'examples'])
/** A schema without the texts for people. A property may be named as one of them: its value is a schema. */
const signature = (value: unknown): string => JSON.stringify(value, (key, one: unknown) =>
  FOR_PEOPLE.has(key) && (typeof one === 'string' || Array.isArray(one)) ? undefined : one)

const wire = (): Names => ({
  ...Object.fromEntries(LEGACY_REVISIONS.map((revision) => [revision, 'legacy'])),
  ...Object.fromEntries(MODERN_REVISIONS.map((revision) => [revision, 'modern'])),
  ...Object.fromEntries(METHODS.map(({ name, legacy, modern }) => [name, signature({ legacy, modern })])),
  ...Object.fromEntries(resources('service').map(({ template, mimeType }) => [template, `${mimeType}`]))
})

const toolNames = (): Names => Object.fromEntries(tools.map(({ name, input, output, annotations, scope }) =>
  [name, signature({ input, output, annotations, scope })]))

const commands = (command: Command, name: string): Names => {
  if (command.commands.length > 0) return Object.assign({}, ...command.commands.map((child) => commands(child, `${name} ${child.name()}`.trim())))
  const words = command.registeredArguments.map((one: Argument) => `${one.name()}${one.variadic ? '…' : ''}${one.required ? '' : '?'}`)
  const options = command.options.map(({ flags, argChoices, mandatory }) =>
    [flags, ...argChoices ? [argChoices.join('|')] : [], ...mandatory ? ['required'] : []].join(' '))
  return { [name]: [...words, ...options.sort()].join('; ') }
}

const exitCodes = (): Names => {
  const reasons = Object.entries(EXIT_CODES).map(([reason, { code }]) => [`exit code ${code}`, reason] as const)
  return Object.fromEntries(reasons.map(([name]) => [name, reasons.filter(([other]) => other === name).map(([, reason]) => reason).join(', ')]))
}

const records = (): Names => {
  const folder = join(ROOT, 'schemas/records')
  return Object.fromEntries(readdirSync(folder).map((file) =>
    [file.replace('.json', ''), signature(JSON.parse(readFileSync(join(folder, file), 'utf8')))]))
}

const platform = (): Names => {
  const all = Object.values<OperationSpec>({ ...callers, ...recordOperations, ...sessions })
  return Object.fromEntries(all.map(({ method, path, params, query, body, answer, without }) =>
    [`${method} ${PREFIX}${path}`, signature({ params, query, body, answer, optional: without !== undefined })]))
}

/** Those of Node and of the process are prom-client's. */
const OWN_METRIC = /^# TYPE (mcp_\w+) (\w+)$/gm

const metrics = async (): Promise<Names> => {
  const measured = prometheus()
  const operation = { method: 'tools/call', tool: 'ping', era: 'modern', outcome: 'ok' } as const
  measured.meter.operation(operation, 1, undefined)
  measured.meter.request({ method: 'POST', route: '/mcp', status: 200, seconds: 1, operation, requestBytes: 1, responseBytes: 1 })
  measured.meter.rateLimited('read', 'minute')
  gauges(measured, fastify(), {
    streams: new Set(),
    draining: () => false,
    databaseConnections: () => ({ inUse: 0, idle: 0, waiting: 0 }),
    valkey: { away: false },
    searchIndex: { state: async () => ({ explorations: 0, pending: 0 }) }
  })
  const { text } = await measured.scrape()
  const labelsOf = (name: string): string[] => {
    const [, labels = ''] = new RegExp(`^${name}(?:_sum)?\\{(.*)\\} `, 'm').exec(text) ?? []
    return [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!).sort()
  }
  return Object.fromEntries([...text.matchAll(OWN_METRIC)].map(([, name = '', type]) => [name, [type, ...labelsOf(name)].join(' ')]))
}

/** The surface of the sources. `npm run build` comes first, for the declarations of the engine. */
export const readSurface = async (): Promise<Surface> => {
  // The grammar only writes to these two while it is built.
  const context = { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as CliContext
  const settings = Object.entries(config.properties)
  return {
    wire: wire(),
    tools: toolNames(),
    errors: Object.fromEntries(Object.entries(FAULTS).map(([kind, { legacy, modern }]) =>
      [kind, signature({ legacy: legacy.slice(0, 2), modern: modern.slice(0, 2) })])),
    commands: { ...commands(program(context), ''), ...exitCodes() },
    settings: Object.fromEntries(settings.map(([name, property]) => [variable(name), signature(property)])),
    'import format': records(),
    engine: Object.fromEntries(engineSurface().map((one) => [one.name, signatureOf(one)])),
    'platform API': platform(),
    metrics: await metrics()
  }
}
