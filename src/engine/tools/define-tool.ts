/** Defines a tool whose arguments and result have the types of its schemas. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { HandlerOutput, RequestContext } from '../request-context.js'
import { isLibrarySchema, jsonSchemaOf, libraryCheck, type LibrarySchema } from './library-schema.js'
import type { Tool, ToolResult, ToolSchema } from './tool.js'

/** A JSON Schema of arguments, which are an object, or a schema of a library. */
export type InputSchema = (ToolSchema & { readonly type: 'object' }) | LibrarySchema

/** A JSON Schema of a result, or a schema of a library. */
export type OutputSchema = Exclude<ToolSchema, boolean> | LibrarySchema

/** What `run` gets: a JSON Schema's defaults are filled in, and a library's changes made. */
export type InputOf<Schema> = Schema extends LibrarySchema<unknown, infer Out>
  ? Out
  : Schema extends JSONSchema ? FromSchema<Schema> : never

/** What `run` returns as `structuredContent`: what goes into a library's schema. */
export type OutputOf<Schema> = Schema extends LibrarySchema<infer In, unknown>
  ? In
  : Schema extends JSONSchema ? FromSchema<Schema> : never

/** A tool without its function. */
export interface ToolFacts<Input, Output> extends Omit<Tool, 'input' | 'output' | 'checks' | 'run'> {
  /** Of the arguments; none by default. */
  input?: Input
  /** Of `structuredContent`. */
  output?: Output
}

const NO_ARGUMENTS = { type: 'object', additionalProperties: false } as const

/**
 * Defines a tool: `defineTool({ name, description, input, output }, async (input, context) => result(…))`. The types
 * of the arguments and of the result are those of the schemas: JSON Schemas as they are written, or schemas of a
 * library. Annotate the context where the tool needs what your server adds: `RequestContext<Person> & Services`.
 * @throws {Error} when a library gives no JSON Schema
 */
export const defineTool = <
  const Input extends InputSchema = typeof NO_ARGUMENTS,
  const Output extends OutputSchema = LibrarySchema<unknown, unknown>,
  Context extends RequestContext = RequestContext
>(
    { input, output, ...facts }: ToolFacts<Input, Output>,
    run: (input: InputOf<Input>, context: Context) => HandlerOutput<ToolResult<OutputOf<Output>>>
  ): DefinedTool<InputOf<Input>, OutputOf<Output>, Context> => {
  const ofInput = schemaAndCheck(input ?? NO_ARGUMENTS, 'input')
  const ofOutput = output && schemaAndCheck(output, 'output')
  return {
    ...facts,
    // The engine checks that it describes an object.
    input: ofInput.schema as Tool['input'],
    ...ofOutput && { output: ofOutput.schema },
    checks: { input: ofInput.check, output: ofOutput?.check },
    run
  }
}

/** A tool that `defineTool` made: with the types of what its function gets and returns. */
export interface DefinedTool<Input, Output, Context> extends Omit<Tool, 'run'> {
  run (input: Input, context: Context): HandlerOutput<ToolResult<Output>>
}

const schemaAndCheck = (schema: InputSchema | OutputSchema, side: 'input' | 'output') => isLibrarySchema(schema)
  ? { schema: jsonSchemaOf(schema, side), check: libraryCheck(schema) }
  : { schema, check: undefined }
