/** Calls a tool. An error of the model becomes a result with `isError: true`; an error of the program is a fault. */
import type { RequestContext, HandlerGenerator, HandlerOutput } from '../request-context.js'
import { Fault, forbidden, insufficientScope, requireParams, requireRefusal } from '../../lib/errors.js'
import { allows } from '../../lib/principal.js'
import { weakMemo } from '../../lib/weak-memo.js'
import { supports } from '../revisions.js'
import { isObject } from '../../lib/json/json-object.js'
import type { Validation } from '../../lib/schema/validator.js'
import type { BoundTool } from '../tools/tool-registry.js'
import { refused, type ToolResult } from '../tools/tool.js'
import type { ServerFeatures, Method, MethodResult } from './method.js'
import { downgradeContents } from './older-revisions.js'

/** @throws {Fault} `invalid_params`, or `forbidden` by the scope of the credential or the access to the tool */
export const callTool: Method = (params, context, features) => {
  const { tools, dataNote } = features
  const { name, arguments: input = {} } = params
  requireParams(typeof name === 'string', '"params.name" is the name of a tool, as tools/list shows it.')
  const tool = tools.get(name)
  const { principal } = context
  const access = tool?.accessOf(principal) ?? 'unknown'
  // 2026-07-28 server/tools#error-handling: an unknown tool is a protocol error
  if (!tool || access === 'unknown') return unknownTool(context, features)
  // 2026-07-28 basic/authorization#runtime-insufficient-scope-errors
  if (!allows(principal.credential.scope, tool.scope)) throw insufficientScope(tool.scope)
  if (access !== 'granted') throw forbidden(access.message, access.hint)
  requireParams(isObject(input), '"params.arguments" is an object.')

  const call: ToolCall = { name, tool, context, note: dataNote }
  const checked = tool.check(input)
  return checked instanceof Promise ? checkedLater(call, checked) : started(call, checked)
}

interface ToolCall {
  name: string
  tool: BoundTool
  context: RequestContext
  note: ServerFeatures['dataNote']
}

const started = (call: ToolCall, checked: Validation<unknown>): HandlerOutput<MethodResult> => {
  if (!checked.ok) {
    return settled(call, Promise.resolve(refused(`Invalid arguments for ${call.name}: ${checked.faults.join('. ')}.`)))
  }
  const work = call.tool.run(checked.value, call.context)
  return Symbol.asyncIterator in work ? streamed(call, work) : settled(call, work)
}

/** Whether the tool yields events shows only when its arguments were checked. */
async function * checkedLater (
  call: ToolCall, checked: Promise<Validation<unknown>>
): HandlerGenerator<MethodResult> {
  const work = started(call, await checked)
  return Symbol.asyncIterator in work ? yield * work : await work
}

const unknownTool = async (context: RequestContext, { tools, showEntries }: ServerFeatures): Promise<never> => {
  const listed = tools.listFor(context.principal).tools
  const shown = await showEntries?.('tools/list', listed, ({ name }) => name, context) ?? listed
  const names = shown.map(({ name }) => name).join(', ')
  throw new Fault('invalid_params', `There is no tool of this name. tools/list shows: ${names}.`)
}

const settled = async (call: ToolCall, work: Promise<ToolResult>): Promise<MethodResult> => {
  try {
    const result = await work
    return framed(call.tool.checkResult ? await call.tool.checkResult(result) : result, call)
  } catch (error) {
    return framed(refused(requireRefusal(error).message), call)
  }
}

async function * streamed (call: ToolCall, work: HandlerGenerator<ToolResult>): HandlerGenerator<MethodResult> {
  try {
    return await settled(call, Promise.resolve(yield * work))
  } catch (error) {
    return await settled(call, Promise.reject(error))
  }
}

const constants = weakMemo<ToolResult, MethodResult>()

const framed = (result: ToolResult, { context: { revision }, note }: ToolCall): MethodResult => result.constant
  ? constants(result, revision, () => ({ ...frame(result, revision, note), constant: true }))
  : frame(result, revision, note)

/** Frames a result for a revision. Literals of few keys, because rest and spread take a microsecond each. */
const frame = (result: ToolResult, revision: string, note: ToolCall['note']): MethodResult => {
  const { structuredContent, _meta: meta } = result
  const content = downgradeContents(result.content, revision)
  const structured = structuredContent !== undefined && supports(revision, 'structuredOutput') &&
    (isObject(structuredContent) || supports(revision, 'anyStructuredOutput'))
  const framed: Record<string, unknown> = structured ? { content, structuredContent } : { content }
  for (const key of Object.keys(result)) if (!FRAMED.has(key)) framed[key] = result[key as keyof ToolResult]
  if (structured && note) framed['_meta'] = meta ? { ...note, ...meta } : note
  return { result: framed, hasRecordTexts: true }
}

const FRAMED = new Set(['content', 'structuredContent', 'constant'])
