/** JSON-RPC 2.0 messages as MCP uses them: ids are strings or integers, never null. */

export type Id = string | number
export type Params = Readonly<Record<string, unknown>>

export interface Request { kind: 'request', id: Id, method: string, params: Params }
export interface Notification { kind: 'notification', method: string, params: Params }
/** What a client sends back when a server has asked it something. */
export interface Response { kind: 'response', id: Id, result?: unknown, error?: unknown }

export type Message = Request | Notification | Response

// Stringified as one: a text put together of parts is copied once more when it is sent.
export const resultResponse = (id: Id, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })

/** The same with a result whose JSON is there already. */
export const splicedResponse = (id: Id, result: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result, CLOSED])

const CLOSED = Buffer.from('}')

export const notification = (method: string, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params })

export interface RpcError { code: number, message: string, data?: unknown }

/** An error without an id answers a message whose id could not be read. */
export const errorResponse = (id: Id | undefined, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error })
