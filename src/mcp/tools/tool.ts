/** The type of a tool, for the engine and for authors of tools. */
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
  /** Whether the result is the same object each time, so that its bytes can be cached. */
  constant?: boolean
}

export interface Tool<Input = never, Services = unknown> {
  name: string
  title: string
  /** Written for a model that does not know the product. */
  description: string
  /** The smallest scope that may list and call the tool. */
  scope: Scope
  input: JSONSchema & { type: 'object' }
  output?: JSONSchema & { type: 'object' }
  annotations?: {
    readOnlyHint?: boolean, destructiveHint?: boolean, idempotentHint?: boolean, openWorldHint?: boolean
  }
  /**
   * `input` is valid by the schema. A `Refusal` becomes a result with `isError: true`; a `Fault` refuses the
   * request.
   */
  run (input: Input, context: RequestContext & Services): HandlerOutput<ToolResult>
}

/** Creates a result with the same facts twice: as structured content for programs, and as short text for models. */
export const result = (structuredContent: Record<string, unknown>, text: string): ToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent })
