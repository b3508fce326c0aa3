/** What a JSON-RPC method is: era-neutral work on already checked framing. */
import type { RequestContext, HandlerOutput } from '../request-context.js'
import type { ChangeNotifier } from '../subscriptions.js'
import type { Params } from '../jsonrpc/message.js'
import type { PromptRegistry } from '../prompts/prompt-registry.js'
import type { ResourceRegistry } from '../resources/resource-registry.js'
import type { TaskRunner } from '../tasks/task-runner.js'
import type { ToolRegistry } from '../tools/tool-registry.js'

/** What the methods serve. */
export interface ServerFeatures {
  server: { name: string, title: string, version: string, description: string }
  /** How to use the server, for the model. */
  instructions: string
  supportedVersions: readonly string[]
  /** What is said of texts in structured results and resources, in their `_meta`; nothing when absent. */
  dataNote?: Readonly<Record<string, string>>
  /** Whether callers of the legacy revisions have sessions, in which something can be remembered. */
  sessions: boolean
  tools: ToolRegistry
  resources: ResourceRegistry
  /** The methods about prompts exist where there are any. */
  prompts?: PromptRegistry
  /** What is served may change, and clients may listen. */
  changes?: ChangeNotifier
  /** Work may write to the log of a client that asks for it. */
  logs?: boolean
  /** Work may go on after its request was answered. */
  tasks?: TaskRunner
}

export interface MethodResult {
  result: Record<string, unknown>
  /** How long and by whom the result may be kept, where the method is one that says so. */
  cache?: { ttlMs: number, scope: 'public' | 'private' }
  /** The very same object each time, so that its bytes can be made once. */
  constant?: boolean
}

export type Method = (params: Params, context: RequestContext, features: ServerFeatures) => HandlerOutput<MethodResult>
