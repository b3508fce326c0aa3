/** A client in the process of the server, for tests: it needs no port, and speaks every revision. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { codeOf } from '../eras/faults.js'
import { encodeHeaderValue } from '../eras/modern/header-value.js'
import type { PromptResult } from '../prompts/prompt.js'
import type { ResourceContents, ResourceEntry } from '../resources/resource.js'
import type { Revision } from '../revisions.js'
import { argumentAt, paramHeaders } from '../tools/param-headers.js'
import type { ToolDefinition } from '../tools/tool-registry.js'
import type { ToolResult } from '../tools/tool.js'
import { connectClient, TestClientError } from './client-connection.js'
import type { InjectableApp } from './in-process-http.js'
import type {
  TestClientOptions, TestNotification, TestRequestOptions, TestSubscription
} from './test-client-options.js'

/** A result with the members that every result may have. */
export type TestResult<Members> = Members & { _meta?: JsonObject, ttlMs?: number, cacheScope?: 'public' | 'private' }

/** The result of a tool. `Structured` is the type of its `structuredContent`. */
export type TestCallResult<Structured = JsonObject> =
  TestResult<Omit<ToolResult, 'structuredContent' | 'constant'> & { structuredContent: Structured }>

/** The client. Each method resolves with the result of the protocol, and rejects with a `TestClientError`. */
export interface TestClient {
  /** The revision that was agreed on. */
  readonly revision: Revision
  listTools (): Promise<TestResult<{ tools: ToolDefinition[] }>>
  callTool<Structured = JsonObject> (
    name: string, args?: JsonObject, options?: TestRequestOptions
  ): Promise<TestCallResult<Structured>>
  /** One page. */
  listResources (cursor?: string): Promise<TestResult<{ resources: ResourceEntry[], nextCursor?: string }>>
  readResource (uri: string): Promise<TestResult<{ contents: Array<ResourceContents & { _meta?: JsonObject }> }>>
  getPrompt (
    name: string, args?: Readonly<Record<string, string>>, options?: TestRequestOptions
  ): Promise<TestResult<PromptResult>>
  /** Any method, such as `tasks/get`. Rounds of input are answered before it resolves. */
  request (method: string, params?: JsonObject, options?: TestRequestOptions): Promise<JsonObject>
  /** Resolves once the server listens. Then yields its notifications until `return` or `close` is called. */
  listen (to: TestSubscription): Promise<AsyncGenerator<TestNotification, void, void>>
  /** Ends open requests and the session. The app stays. */
  close (): Promise<void>
}

/**
 * Connects a client to a Fastify app, in this process: `const client = await testClient(app)`. The app need not listen.
 * @throws {TestClientError} when the handshake of an older revision is refused
 */
export const testClient = async (app: InjectableApp, options: TestClientOptions = {}): Promise<TestClient> => {
  const connection = await connectClient(app, options)
  // The server is the test's own: its results have the shapes that the protocol gives them, and the engine sends.
  const ask = async <Result>(method: string, params: JsonObject = {}, options: TestRequestOptions = {}) =>
    await connection.request(method, params, options) as Result

  /** Clients mirror annotated arguments into headers once they know the tool: 2026-07-28 server/tools#x-mcp-header. */
  const callMirroring = async (name: string, args: JsonObject, options: TestRequestOptions): Promise<JsonObject> => {
    const params = { name, arguments: args }
    try {
      return await connection.request('tools/call', params, options)
    } catch (error) {
      if (!(error instanceof TestClientError) || error.code !== codeOf('header_mismatch', 'modern')) throw error
      const { tools } = await ask<{ tools: ToolDefinition[] }>('tools/list')
      const mirrored = mirroredArguments(tools.find((tool) => tool.name === name)?.inputSchema, args)
      return await connection.request('tools/call', params, options, mirrored)
    }
  }

  return {
    revision: connection.revision,
    listTools: () => ask('tools/list'),
    callTool: async <Structured>(name: string, args: JsonObject = {}, options: TestRequestOptions = {}) =>
      await callMirroring(name, args, options) as TestCallResult<Structured>,
    listResources: (cursor) => ask('resources/list', cursor === undefined ? {} : { cursor }),
    readResource: (uri) => ask('resources/read', { uri }),
    getPrompt: (name, args = {}, options) => ask('prompts/get', { name, arguments: args }, options),
    request: ask,
    listen: (to) => connection.listen(to),
    close: () => connection.close()
  }
}

const mirroredArguments = (inputSchema: unknown, args: JsonObject): Record<string, string> =>
  Object.fromEntries(paramHeaders(inputSchema).flatMap(({ header, path }) => {
    const value = argumentAt(args, path)
    return value === undefined || value === null ? [] : [[header, encodeHeaderValue(String(value))]]
  }))
