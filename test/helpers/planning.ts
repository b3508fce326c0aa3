/** Planning data for tests of tools and resources: a store over import lines, and calls by whoever a test says. */
import { readFileSync } from 'node:fs'
import type { Step, Work } from '../../src/call.js'
import { Refusal } from '../../src/errors.js'
import type { Line } from '../../src/store/records.js'
import type { ExplorationSummary, Page, PageRequest, Store } from '../../src/store/store.js'
import type { Context } from '../../src/tools/services.js'
import { tools } from '../../src/tools/index.js'
import { validator } from '../../src/schema/validator.js'

type Of<Type extends Line['type']> = Extract<Line, { type: Type }>

export const sample: Line[] = readFileSync(new URL('../../src/sample/sample.ndjson', import.meta.url), 'utf8')
  .trim().split('\n').map((line) => JSON.parse(line))

export const of = <Type extends Line['type']>(lines: Line[], type: Type): Array<Of<Type>> =>
  lines.filter((line): line is Of<Type> => line.type === type)

const page = <Item>(items: Item[], { limit, cursor = '0' }: PageRequest): Page<Item> => {
  if (!/^\d+$/.test(cursor)) throw new Refusal('This cursor was not made here.')
  const end = Number(cursor) + limit
  return { items: items.slice(Number(cursor), end), ...(end < items.length && { next_cursor: String(end) }) }
}

const pick = <Record, Key extends keyof Record>(record: Record, ...keys: Key[]): Pick<Record, Key> =>
  Object.fromEntries(keys.flatMap((key) => record[key] === undefined ? [] : [[key, record[key]]])) as Pick<Record, Key>

/** Keeps the promises of the port over a list of lines. */
export const memoryStore = (lines: Line[] = sample): Store => {
  const starts = (prefix: string, ...texts: string[]) => texts.some((text) => text.toLowerCase().startsWith(prefix.toLowerCase()))
  const explorations = of(lines, 'exploration')
  const find = (id: string) => explorations.find((exploration) => exploration.id === id)
  const packages = (id: string) => of(lines, 'requirement_package').filter((found) => found.exploration_id === id)
  const plan = (id: string) => of(lines, 'execution_plan').find((found) => found.exploration_id === id)
  const approved = (id: string) => of(lines, 'recommendation').filter((found) => found.exploration_id === id && found.status === 'approved')
  const workspaces = (visible: readonly string[]) => of(lines, 'workspace').filter(({ id }) => visible.includes(id))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ type: _, ...workspace }) => ({
      ...workspace, exploration_count: explorations.filter(({ workspace_id: id }) => id === workspace.id).length
    }))
  const place = (id: string) => {
    const { slug, name } = of(lines, 'workspace').find((workspace) => workspace.id === id)!
    return { id, slug, name }
  }
  const summary = (one: Of<'exploration'>): ExplorationSummary => ({
    ...pick(one, 'id', 'workspace_id', 'title', 'status', 'tags', 'updated_at'),
    artifact_types: packages(one.id).map(({ artifact_type: type }) => type),
    has_plan: plan(one.id) !== undefined
  })
  const tally = <Status extends string>(list: Array<{ status: Status }>, statuses: readonly Status[]) => Object.fromEntries(
    [['total', list.length], ...statuses.map((status) => [status, list.filter((one) => one.status === status).length])])
  return {
    workspaces: {
      list: async (visible, request) => page(workspaces(visible), request),
      get: async (visible, id) => workspaces(visible).find((workspace) => workspace.id === id),
      complete: async (visible, prefix, limit) => workspaces(visible)
        .filter(({ id, slug, name }) => starts(prefix, id, slug, name)).slice(0, limit)
    },
    explorations: {
      get: async (id) => {
        const found = find(id)
        if (!found) return undefined
        const { type: _, ...exploration } = found
        const artifacts = packages(id).map((artifact) =>
          ({ ...pick(artifact, 'artifact_type', 'title', 'version', 'updated_at'), total_chars: artifact.markdown.length }))
        const state = plan(id)
        return {
          ...exploration,
          workspace: place(found.workspace_id),
          artifacts,
          plan: state ? pick(state, 'version', 'compilation_state', 'updated_at') : null,
          recommendation_count: approved(id).length
        }
      },
      workspaceOf: async (id) => find(id)?.workspace_id,
      list: async (workspace, request) => page(explorations.filter(({ workspace_id: id }) => id === workspace)
        .sort((a, b) => b.updated_at.localeCompare(a.updated_at)).map(summary), request),
      complete: async (visible, prefix, limit) => explorations
        .filter(({ id, title, workspace_id: workspace }) => visible.includes(workspace) && starts(prefix, id, title)).slice(0, limit)
    },
    packages: {
      get: async (id, type) => packages(id).map(({ type: _, ...found }) => found).find(({ artifact_type: known }) => known === type),
      types: async (id) => packages(id).map(({ artifact_type: type }) => type).sort(),
      complete: async (visible, prefix, limit, id) => [...new Set(of(lines, 'requirement_package')
        .filter((found) => id === undefined ? visible.includes(find(found.exploration_id)!.workspace_id) : found.exploration_id === id)
        .map(({ artifact_type: type }) => type))].filter((type) => starts(prefix, type)).sort().slice(0, limit)
    },
    plans: {
      get: async (id) => {
        const found = plan(id)
        if (!found) return undefined
        const { type: _, ...rest } = found
        return rest
      },
      state: async (id) => {
        const found = plan(id)
        if (!found) return undefined
        return {
          ...pick(found, 'exploration_id', 'version', 'compilation_state', 'updated_at'),
          counts: {
            groups: found.groups.length,
            items: tally(found.items, ['todo', 'in_progress', 'done', 'blocked']) as never,
            dependencies: found.dependencies.length,
            gates: tally(found.gates, ['open', 'passed', 'failed']) as never,
            conflicts: tally(found.conflicts, ['open', 'resolved']) as never
          }
        }
      }
    },
    recommendations: {
      approved: async (id, kind) => approved(id)
        .filter((found) => kind === undefined || found.kind === kind).map(({ type: _, ...found }) => found)
    },
    search: {
      find: async ({ query, visible, status, ...request }) => page(explorations
        .filter((one) => visible.includes(one.workspace_id) && (status ?? [one.status]).includes(one.status) && query.toLowerCase().split(/\s+/)
          .some((word) => one.title.toLowerCase().includes(word)))
        .map((one) => ({ ...summary(one), workspace: place(one.workspace_id), score: 0.5, snippet: one.summaries[0]?.text ?? '' })), request)
    }
  }
}

/** No half of a surrogate pair stands alone. */
export const wellFormed = (text: string): boolean => Buffer.from(text).toString() === text

export const idOf = (title: string): string => of(sample, 'exploration').find((one) => one.title.startsWith(title))!.id
export const workspaceId = (slug: string): string => of(sample, 'workspace').find((one) => one.slug === slug)!.id
export const everywhere = of(sample, 'workspace').map(({ id }) => id)

/** A call by somebody who can see some workspaces (all by default), with what it notes for the audit. */
export const call = (workspaces: readonly string[] = everywhere, store = memoryStore()): Context & { noted: Record<string, string> } => {
  const noted: Record<string, string> = {}
  return {
    principal: {
      credential: { id: 'c', kind: 'api_key', name: 'test', scope: 'read', expires_at: null },
      user: { id: 'u', email: 'u@example.com', name: 'U' },
      workspaces
    },
    revision: '2025-11-25',
    client: { capabilities: {} },
    requestId: 'r',
    signal: new AbortController().signal,
    note (key, value) { noted[key] = value },
    store,
    uriScheme: 'service',
    server: { name: 'exploration-mcp', version: '1.2.3' },
    noted
  }
}

/** What the work says first, and its result. */
export const finish = async <Result>(work: Work<Result>): Promise<{ steps: Step[], result: Result }> => {
  if (work instanceof Promise) return { steps: [], result: await work }
  const steps: Step[] = []
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
export const use = async <Data = Record<string, unknown>>(name: string, args: Record<string, unknown>, context: Context = call()):
Promise<{ data: Data, text: string, steps: Step[] }> => {
  const tool = tools.find((one) => one.name === name)!
  const input = checks.get(name)!.input({ ...args })
  if (!input.ok) throw new Error(`arguments: ${input.faults.join('; ')}`)
  const { steps, result } = await finish(tool.run(input.value, context))
  const output = checks.get(name)!.output(structuredClone(result.structuredContent))
  if (!output.ok) throw new Error(`result: ${output.faults.join('; ')}`)
  const [first, ...rest] = result.content
  if (first?.type !== 'text' || rest.length > 0) throw new Error('one text is expected')
  return { data: result.structuredContent as Data, text: first.text, steps }
}
