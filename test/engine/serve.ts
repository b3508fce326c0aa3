/** A server of the engine alone, its tools and resources, and a client of it in the same process. */
import fastify, { type FastifyInstance } from 'fastify'
import {
  createMcpPlugin, testClient, type McpPluginOptions, type Principal, type Resource, type TestClient, type TestClientOptions, type Tool
} from 'exploration-mcp/engine'
import type { Test } from 'tap'

export type Options<Services extends object = object, P extends Principal = Principal> = Partial<McpPluginOptions<Services, P>>

export const tool = (name: string, run: Tool<never>['run'], more: Partial<Tool<never>> = {}): Tool<never> =>
  ({ name, description: `The tool ${name}.`, input: { type: 'object' }, run, ...more })

export const resource = (template: string, more: Partial<Resource> = {}): Resource =>
  ({ template, name: template, mimeType: 'text/plain', ttlMs: 0, read: async () => ({ mimeType: 'text/plain', text: 'A text.' }), ...more })

/** A promise, and what resolves it. */
export const gate = () => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => { open = resolve })
  return { open, opened }
}

export const serveApp = async <Services extends object = object, P extends Principal = Principal>(
  t: Test, options: Options<Services, P>
): Promise<FastifyInstance> => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(createMcpPlugin<Services, P>({ server: { name: 'test', version: '1' }, ...options }))
  return app
}

export const serve = async <Services extends object = object, P extends Principal = Principal>(
  t: Test, options: Options<Services, P>, client: TestClientOptions = {}
): Promise<TestClient> => {
  const connected = await testClient(await serveApp(t, options), client)
  t.teardown(() => connected.close())
  return connected
}
