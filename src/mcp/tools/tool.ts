/** What a tool is, to the protocol and to whoever writes one. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { Scope } from '../../lib/principal.js'
import type { RequestContext, HandlerOutput } from '../request-context.js'

export type Content =
  | { type: 'text', text: string }
  | { type: 'image' | 'audio', data: string, mimeType: string }
  | { type: 'resource', resource: { uri: string, mimeType?: string, text?: string, blob?: string } }
  | { type: 'resource_link', uri: string, name: string, title?: string, description?: string, mimeType?: string }

export interface ToolResult {
  content: Content[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  /** The very same object each time, so that its bytes can be made once. */
  constant?: boolean
}

export interface Tool<Input = never, Services = unknown> {
  name: string
  title: string
  /** Written for a model that has never seen the product. */
  description: string
  /** The least scope that may list and call it. */
  scope: Scope
  input: JSONSchema & { type: 'object' }
  output?: JSONSchema & { type: 'object' }
  annotations?: { readOnlyHint?: boolean, destructiveHint?: boolean, idempotentHint?: boolean, openWorldHint?: boolean }
  /** `input` has passed the schema. A `Refusal` becomes a result with `isError: true`, a `Fault` refuses the request. */
  run (input: Input, context: RequestContext & Services): HandlerOutput<ToolResult>
}

/** The same facts on both channels: as data for programs, as compact text for models. */
export const result = (structuredContent: Record<string, unknown>, text: string): ToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent })
