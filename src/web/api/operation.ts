/**
 * What an operation of the web API is, and the types of its requests and answers. Nothing of Node is imported, so that
 * the browser's code can take these types.
 */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { MarkdownNode } from './markdown-node.js'

export interface Operation {
  /** The operationId; the key in the permissions table. */
  id: string
  summary: string
  tag: string
  params?: JSONSchema
  query?: JSONSchema
  body?: JSONSchema
  /** The JSON of the answer. Absent where it is no JSON, and `produces` says what it is. */
  response?: JSONSchema
  produces?: readonly string[]
  /** Media types of a body that is streamed, in place of `body`. */
  consumes?: readonly string[]
  /** 200 when absent. */
  status?: 201
}

/** By `METHOD /path`, the path below the prefix of the web API. */
export type OperationTable = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Operation>>

interface TreeTypes {
  deserialize: [
    { pattern: { title: 'MarkdownTree' }, output: MarkdownNode[] },
    { pattern: { title: 'MarkdownTreeOrNull' }, output: MarkdownNode[] | null }
  ]
}

/** The type of a schema of `schemas/web`; markdown trees are typed as such. */
export type WebBody<Schema extends JSONSchema> = FromSchema<Schema, TreeTypes>

/** The same before defaults are filled in: what a client sends. */
export type WebRequest<Schema extends JSONSchema> = FromSchema<Schema, { keepDefaultedPropertiesOptional: true }>

type PartOf<Of, Name extends string> =
  Of extends { [Key in Name]: infer Schema extends JSONSchema } ? Schema : undefined
type Body<Schema> = Schema extends JSONSchema ? WebBody<Schema> : undefined
type SentPart<Schema> = Schema extends JSONSchema ? WebRequest<Schema> : undefined

/** What a handler receives. */
export type ParamsOf<Of extends Operation> = Body<PartOf<Of, 'params'>>
export type QueryOf<Of extends Operation> = Body<PartOf<Of, 'query'>>
export type BodyOf<Of extends Operation> = Body<PartOf<Of, 'body'>>
export type ResponseOf<Of extends Operation> = Body<PartOf<Of, 'response'>>

/** What a client sends. */
export type SentQueryOf<Of extends Operation> = SentPart<PartOf<Of, 'query'>>
export type SentBodyOf<Of extends Operation> = SentPart<PartOf<Of, 'body'>>
