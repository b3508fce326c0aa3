/** JSON-RPC 2.0 messages as MCP uses them: ids are strings or integers, never null. */

export type Id = string | number
export type Params = Readonly<Record<string, unknown>>

export interface Request { kind: 'request', id: Id, method: string, params: Params }
export interface Notification { kind: 'notification', method: string, params: Params }
/** A client's answer to a request of the server. */
export interface Response { kind: 'response', id: Id, result?: unknown, error?: unknown }

/** A JSON-RPC message of a client. */
export type Message = Request | Notification | Response

// One call of JSON.stringify: a string made by concatenation would be copied once more when it is sent.
export const resultResponse = (id: Id, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result })

/** Returns the response around a result that is JSON text already: as text around text, as bytes around bytes. */
export const splicedResponse = (id: Id, result: string | Buffer): string | Buffer => {
  const start = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`
  return typeof result === 'string' ? `${start}${result}}` : Buffer.concat([Buffer.from(start), result, CLOSED])
}

const CLOSED = Buffer.from('}')

export const notification = (method: string, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params })

export interface RpcError { code: number, message: string, data?: unknown }

/** Returns the JSON text of an error response. Without an id it answers a message whose id could not be read. */
export const errorResponse = (id: Id | undefined, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error })
