/** What an operation is, and the types of its requests and answers. The browser takes them too: no import of Node. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Permission } from './permission.js'
import type { MarkdownNode } from './views/markdown-node.js'

/** What a client may send, and what is answered. */
export interface RouteDescription {
  /** The operationId. */
  id: string
  summary: string
  tag: string
  params?: JSONSchema
  query?: JSONSchema
  body?: JSONSchema
  /** Bytes of a body; 1 MiB when absent. */
  bodyLimit?: number
  /** The JSON of the answer. Absent where it is no JSON, and `produces` says what it is. */
  response?: JSONSchema
  produces?: readonly string[]
  /** Media types of a body that is streamed, instead of `body`. */
  consumes?: readonly string[]
  /** 200 when absent. */
  status?: 201
}

export interface Operation extends RouteDescription {
  may: Permission
  /**
   * The actions in the audit log of what the operator does; absent where the database writes them, and where it is
   * not recorded. What a person does is `web/<id>`.
   */
  audit?: readonly string[]
}

/** By `METHOD /path`, the path below the prefix of the API that serves it. */
type Table<Row> = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Row>>
export type RouteTable = Table<RouteDescription>
export type OperationTable = Table<Operation>

type Shape = Omit<RouteDescription, 'id' | 'summary' | 'tag'>

/** What a table says of a route: operationId, summary, what is sent and answered. */
export const route = <const Id extends string, const Of extends Shape>(id: Id, summary: string, shape: Of) =>
  ({ id, summary, ...shape })

export const row = <
  const Id extends string, const May extends Permission, const Of extends Shape & Pick<Operation, 'audit'>
>(id: Id, summary: string, may: May, shape: Of) => ({ id, summary, may, ...shape })

export const tagged = <const Rows extends Table<Omit<RouteDescription, 'tag'>>>(
  tag: string, rows: Rows
): { [Key in keyof Rows]: Rows[Key] & { tag: string } } => {
  const entries: object = Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { ...row, tag }]))
  // Its keys are those of the rows.
  return entries as { [Key in keyof Rows]: Rows[Key] & { tag: string } }
}

interface TreeTypes {
  deserialize: [
    { pattern: { title: 'MarkdownTree' }, output: MarkdownNode[] },
    { pattern: { title: 'MarkdownTreeOrNull' }, output: MarkdownNode[] | null }
  ]
}

/** The type of a schema of `schemas/operations`; markdown trees are typed as such. */
export type WebBody<Schema extends JSONSchema> = FromSchema<Schema, TreeTypes>

/** The same before defaults are filled in: what a client sends. */
export type WebRequest<Schema extends JSONSchema> = FromSchema<Schema, { keepDefaultedPropertiesOptional: true }>

type PartOf<Of, Name extends string> =
  Of extends { [Key in Name]: infer Schema extends JSONSchema } ? Schema : undefined
type Body<Schema> = Schema extends JSONSchema ? WebBody<Schema> : undefined
type SentPart<Schema> = Schema extends JSONSchema ? WebRequest<Schema> : undefined

/** What a handler receives. */
export type ParamsOf<Of extends RouteDescription> = Body<PartOf<Of, 'params'>>
export type QueryOf<Of extends RouteDescription> = Body<PartOf<Of, 'query'>>
export type BodyOf<Of extends RouteDescription> = Body<PartOf<Of, 'body'>>
export type ResponseOf<Of extends RouteDescription> = Body<PartOf<Of, 'response'>>

/** What a client sends. */
export type SentQueryOf<Of extends RouteDescription> = SentPart<PartOf<Of, 'query'>>
export type SentBodyOf<Of extends RouteDescription> = SentPart<PartOf<Of, 'body'>>

type PathParams<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | PathParams<Rest>
    : Path extends `${string}:${infer Name}` ? Name : never

export interface CallInput<Key extends string, Of extends RouteDescription> {
  params?: Record<PathParams<Key>, string>
  query?: SentQueryOf<Of>
  body?: SentBodyOf<Of>
}

/** Only an operation without parameters in its path can be called without input. */
export type CallArguments<Key extends string, Of extends RouteDescription, Rest extends unknown[] = []> =
  [PathParams<Key>] extends [never]
    ? [input?: CallInput<Key, Of>, ...rest: Rest]
    : [input: CallInput<Key, Of> & { params: object }, ...rest: Rest]
