/** Names of operations by OpenTelemetry's conventions for MCP: semantic-conventions-genai, docs/gen-ai/mcp.md. */
import type { Attributes } from '@opentelemetry/api'
import { codeOf } from '../engine/eras/faults.js'
import type { OperationLabels } from '../engine/request-info.js'
import { SERVER } from '../config/server-info.js'
import type { TracedOperation } from './tracing.js'
import { OTHER } from './instrument-operations.js'

/** The instrumentation scope: name and version of tracers and meters. */
export const SCOPE = [SERVER.name, SERVER.version] as const

export const TRANSPORT: Attributes = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }

export const OPERATION_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** The attributes that are known when an operation begins. */
export const namesOf = ({ method, tool }: TracedOperation): Attributes => ({
  'mcp.method.name': nameOf(method),
  ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
  ...(tool !== '' && { 'gen_ai.tool.name': tool })
})

/** `tools/call <tool>`, else the method; `_OTHER` for an unknown method. */
export const spanNameOf = ({ method, tool }: TracedOperation): string =>
  tool === '' ? nameOf(method) : `${method} ${tool}`
const nameOf = (method: string): string => method === OTHER ? '_OTHER' : method

/** `error.type`, and the JSON-RPC code of a fault. Empty for success and for a request that the client cancelled. */
export const failureOf = ({ outcome, era }: OperationLabels): Attributes => {
  if (outcome === 'error') return { 'error.type': 'tool_error' }
  const code = outcome === 'cancelled' ? undefined : codeOf(outcome, era)
  return code === undefined ? {} : { 'error.type': `${code}`, 'rpc.response.status_code': `${code}` }
}
