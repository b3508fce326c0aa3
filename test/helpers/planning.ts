/** Planning data for tests of tools and resources: a real store that holds import lines, and calls by anyone who a test says. */
/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { HandlerEvent, HandlerOutput } from '../../src/engine/request-context.js'
import { importRecords } from '../../src/importers/records/import-records.js'
import { validator } from '../../src/lib/schema/validator.js'
import type { Line } from '../../src/planning/records.js'
import { keywordSearch } from './find-by-words.js'
import { sqlSearch } from '../../src/search/ranking/sql-search.js'
import { sqlStore } from '../../src/db/planning/sql-store.js'
import type { Store } from '../../src/planning/store.js'
import { tools } from '../../src/planning/tools/index.js'
import type { Context } from '../../src/planning/tools/planning-tool.js'
import { database, sampleDatabase } from './database.js'

type Of<Type extends Line['type']> = Extract<Line, { type: Type }>

export const sample: Line[] = readFileSync(new URL('../../src/planning/sample.ndjson', import.meta.url), 'utf8')
  .trim().split('\n').map((line) => JSON.parse(line))

export const of = <Type extends Line['type']>(lines: Line[], type: Type): Array<Of<Type>> =>
  lines.filter((line): line is Of<Type> => line.type === type)

/** A store with these records. */
export const planning = async (t: Test, lines: Line[] = sample): Promise<Store> => {
  const db = await (lines === sample ? sampleDatabase(t) : database(t))
  if (lines !== sample) await importRecords(db, Readable.from(lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`))), { spoolDir: tmpdir() })
  return sqlStore(db, keywordSearch(sqlSearch(db)))
}

/** A valid id for the nth of many records. */
export const numbered = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** No half of a surrogate pair stands alone. */
export const wellFormed = (text: string): boolean => Buffer.from(text).toString() === text

export const idOf = (title: string): string => of(sample, 'exploration').find((one) => one.title.startsWith(title))!.id
export const workspaceId = (slug: string): string => of(sample, 'workspace').find((one) => one.slug === slug)!.id
export const everywhere = of(sample, 'workspace').map(({ id }) => id)

/** A call by someone who can see some workspaces (all by default), with what it notes for the audit. */
export const call = (
  store: Store, workspaces: readonly string[] = everywhere
): Context & { noted: Record<string, string> } => {
  const noted: Record<string, string> = {}
  return {
    principal: {
      credential: { id: 'c', kind: 'api_key', name: 'test', scope: 'read', expires_at: null },
      user: { id: 'u', email: 'u@example.com', name: 'U' },
      workspaces
    },
    revision: '2025-11-25',
    client: { capabilities: {} },
    jsonrpcId: 1,
    requestId: 'r',
    signal: new AbortController().signal,
    setAuditField (key, value) { noted[key] = value },
    auditWithin: async (work) => await work(() => { throw new Error('nothing is recorded here') }),
    store,
    uriScheme: 'service',
    server: { name: 'exploration-mcp', version: '1.2.3' },
    noted
  }
}

/** What the work says first, and its result. */
export const finish = async <Result>(
  work: HandlerOutput<Result>
): Promise<{ steps: HandlerEvent[], result: Result }> => {
  if (work instanceof Promise) return { steps: [], result: await work }
  const steps: HandlerEvent[] = []
  for (;;) {
    const next = await work.next()
    if (next.done) return { steps, result: next.value }
    steps.push(next.value)
  }
}

const checks = new Map(tools.map(({ name, input, output }) => [name, {
  input: validator<never>(input), output: validator<Record<string, unknown>>(output!)
}]))

/** Runs a tool as the protocol does: arguments through its input schema, the result held against its output schema. */
export const use = async <Data = any>(
  name: string, args: Record<string, unknown>, context: Context
): Promise<{ data: Data, text: string, steps: HandlerEvent[] }> => {
  const tool = tools.find((one) => one.name === name)!
  const input = checks.get(name)!.input({ ...args })
  if (!input.ok) throw new Error(`arguments: ${input.faults.join('; ')}`)
  const { steps, result } = await finish(tool.run(input.value, context))
  // As it arrives: what is undefined is not there.
  const data = JSON.parse(JSON.stringify(result.structuredContent))
  const output = checks.get(name)!.output(structuredClone(data))
  if (!output.ok) throw new Error(`result: ${output.faults.join('; ')}`)
  const [first, ...rest] = result.content
  if (first?.type !== 'text' || rest.length > 0) throw new Error('one text is expected')
  return { data, text: first.text, steps }
}
