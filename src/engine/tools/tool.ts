/** The type of a tool, for the engine and for authors of tools. */
import type { ExtendedJSONSchema } from 'json-schema-to-ts'
import type { Principal } from '../../lib/principal.js'
import type { Validation } from '../../lib/schema/validator.js'
import type { Icon } from '../icon.js'
import type { RequestContext, HandlerOutput } from '../request-context.js'
import type { ToolView } from '../views/view.js'

/** One block of a tool's result or of a prompt's message. `data` and `blob` are base64. */
export type Content =
  | { type: 'text', text: string }
  | { type: 'image' | 'audio', data: string, mimeType: string }
  | { type: 'resource', resource: { uri: string, mimeType?: string, text?: string, blob?: string } }
  | { type: 'resource_link', uri: string, name: string, title?: string, description?: string, mimeType?: string }

/** What a tool returns. `structuredContent` fits the tool's `output` schema. */
export interface ToolResult<Structured = unknown> {
  content: Content[]
  /** Any JSON value; only an object is sent to clients of revisions before 2026-07-28. */
  structuredContent?: Structured
  /** Metadata of the protocol or of an extension. */
  _meta?: Readonly<Record<string, unknown>>
  /** Whether the call failed in a way that the model can mend. A `Refusal` that the tool throws sets it. */
  isError?: boolean
  /** Whether the result is the same object each time, so that its bytes can be cached. */
  constant?: boolean
}

/** What a JSON Schema of a tool may have beyond JSON Schema itself: 2026-07-28 server/tools#x-mcp-header */
export type SchemaExtension = { 'x-mcp-header': string }

/** A JSON Schema 2020-12. */
export type ToolSchema = Exclude<ExtendedJSONSchema<SchemaExtension>, boolean>

/** Checks a value: says in sentences what is wrong, or returns the value as it is used from then on. */
export type SchemaCheck = (value: unknown) => Validation<unknown> | Promise<Validation<unknown>>

/** Whether a caller can use a tool: `unknown`, as if there were none; or why the call is refused with 403. */
export type ToolAccess = 'granted' | 'unknown' | { message: string, hint: string }

/**
 * A tool. `Input` is the type of its arguments, which the `input` schema describes; `Services` and `P` are what the
 * server passes to all tools.
 */
export interface Tool<Input = never, Services = unknown, P extends Principal = Principal> {
  name: string
  /** A short name for people. */
  title?: string
  icons?: readonly Icon[]
  /** Written for a model that does not know the product. */
  description: string
  /**
   * The scope that a caller needs; none by default. `admin` covers `read_write`, which covers `read`; a scope of the
   * server's own, such as `notes:publish`, covers itself, and `admin` covers it too. Several are separated by spaces;
   * all are needed. Other callers do not see the tool in `tools/list`, unless the server has `resourceMetadata`, and
   * get status 403 when they call it.
   */
  scope?: string
  /** Who can use the tool; by default every caller with the scope. `tools/list` shows it to callers that can use it. */
  access? (principal: P): ToolAccess
  /** A JSON Schema 2020-12 of the arguments. Defaults are filled in before `run` is called. */
  input: ToolSchema & { type: 'object' }
  /**
   * A JSON Schema 2020-12 of `structuredContent`. A result that does not fit is an error of the program: it is logged,
   * and the client gets −32603. Clients of revisions before 2026-07-28 see only one of an object.
   */
  output?: ToolSchema
  /** Used instead of what the schemas are compiled into: `defineTool` sets them for schemas of a library. */
  checks?: { input?: SchemaCheck | undefined, output?: SchemaCheck | undefined }
  annotations?: {
    readOnlyHint?: boolean, destructiveHint?: boolean, idempotentHint?: boolean, openWorldHint?: boolean
  }
  /** Metadata of the protocol or of an extension, as `tools/list` shows it. */
  _meta?: Readonly<Record<string, unknown>>
  /** The view in which a host shows the results to people; only clients that declare views see it. */
  view?: ToolView
  /** `input` is valid. A `Refusal` becomes a result with `isError: true`; a `Fault` refuses the request. */
  run (input: Input, context: RequestContext<P> & Services): HandlerOutput<ToolResult>
}

/** Creates a result with the same facts twice: as structured content for programs, and as short text for models. */
export const result = <Structured>(structuredContent: Structured, text: string): ToolResult<Structured> =>
  ({ content: [{ type: 'text', text }], structuredContent })

export const refused = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })
