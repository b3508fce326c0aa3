/** Calls a tool. An error of the model becomes a result with `isError: true`; an error of the program is a fault. */
import type { RequestContext, HandlerEvent } from '../request-context.js'
import { Fault, forbidden, insufficientScope, Refusal } from '../../lib/errors.js'
import { allows } from '../../lib/principal.js'
import { weakMemo } from '../../lib/weak-memo.js'
import { supports } from '../revisions.js'
import { isObject } from '../../lib/json/json-object.js'
import { refused, type ToolResult } from '../tools/tool.js'
import type { ServerFeatures, Method, MethodResult } from './method.js'
import { downgradeContents } from './downgrade-content.js'

/**
 * Validates the arguments and runs the tool. A `Refusal` of the tool becomes a result with `isError: true`.
 * @throws {Fault} `invalid_params` for an unknown tool or arguments that are not an object, `forbidden` when the scope
 * of the credential is too small or the tool does not grant the caller access, and what the tool throws
 */
export const callTool: Method = (params, context, features) => {
  const { tools, dataNote } = features
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') {
    throw new Fault('invalid_params', '"params.name" is the name of a tool, as tools/list shows it.')
  }
  const tool = tools.get(name)
  const { principal } = context
  const access = tool?.accessOf(principal) ?? 'unknown'
  // 2026-07-28 server/tools#error-handling: an unknown tool is a protocol error
  if (!tool || access === 'unknown') return unknownTool(context, features)
  // 2026-07-28 basic/authorization#runtime-insufficient-scope-errors
  if (!allows(principal.credential.scope, tool.scope)) throw insufficientScope(tool.scope)
  if (access !== 'granted') throw forbidden(access.message, access.hint)
  if (!isObject(input)) throw new Fault('invalid_params', '"params.arguments" is an object.')

  const checked = tool.check(input)
  if (!checked.ok) {
    const refusal = refused(`Invalid arguments for ${name}: ${checked.faults.join('. ')}.`)
    return settled(Promise.resolve(refusal), context, dataNote)
  }
  const work = tool.run(checked.value, context)
  return Symbol.asyncIterator in work ? streamed(work, context, dataNote) : settled(work, context, dataNote)
}

const unknownTool = async (context: RequestContext, { tools, showEntries }: ServerFeatures): Promise<never> => {
  const listed = tools.listFor(context.principal).tools
  const shown = await showEntries?.('tools/list', listed, ({ name }) => name, context) ?? listed
  const names = shown.map(({ name }) => name).join(', ')
  throw new Fault('invalid_params', `There is no tool of this name. tools/list shows: ${names}.`)
}

type DataNote = ServerFeatures['dataNote']

const settled = async (work: Promise<ToolResult>, context: RequestContext, note: DataNote): Promise<MethodResult> => {
  try {
    return framed(await work, context, note)
  } catch (error) {
    return framed(toResult(error), context, note)
  }
}

async function * streamed (
  work: AsyncGenerator<HandlerEvent, ToolResult, unknown>, context: RequestContext, note: DataNote
): AsyncGenerator<HandlerEvent, MethodResult, unknown> {
  try {
    return framed(yield * work, context, note)
  } catch (error) {
    return framed(toResult(error), context, note)
  }
}

const toResult = (error: unknown): ToolResult => {
  if (error instanceof Refusal) return refused(error.message)
  throw error
}

const constants = weakMemo<ToolResult, MethodResult>()

const framed = (result: ToolResult, { revision }: RequestContext, note: DataNote): MethodResult => result.constant
  ? constants(result, revision, () => ({ ...frame(result, revision, note), constant: true }))
  : frame(result, revision, note)

/** Frames a result for a revision. Literals of few keys, because rest and spread take a microsecond each. */
const frame = (result: ToolResult, revision: string, note: DataNote): MethodResult => {
  const { structuredContent } = result
  const content = downgradeContents(result.content, revision)
  const structured = structuredContent && supports(revision, 'structuredOutput')
  const framed: Record<string, unknown> = structured ? { content, structuredContent } : { content }
  for (const key of Object.keys(result)) if (!FRAMED.has(key)) framed[key] = result[key as keyof ToolResult]
  if (structured && note) framed['_meta'] = note
  return { result: framed, hasRecordTexts: true }
}

const FRAMED = new Set(['content', 'structuredContent', 'constant'])
