/** What a JSON-RPC method is: era-neutral work on already checked framing. */
import type { Call, Work } from '../request-context.js'
import type { Changes } from '../subscriptions.js'
import type { Params } from '../jsonrpc/message.js'
import type { PromptBook } from '../prompts/prompt-registry.js'
import type { Library } from '../resources/resource-registry.js'
import type { TaskDesk } from '../tasks/task-runner.js'
import type { Toolbox } from '../tools/tool-registry.js'

/** What the methods serve. */
export interface Catalogue {
  server: { name: string, title: string, version: string, description: string }
  /** How to use the server, for the model. */
  instructions: string
  supportedVersions: readonly string[]
  /** What is said of texts in structured results and resources, in their `_meta`; nothing when absent. */
  dataNote?: Readonly<Record<string, string>>
  /** Whether callers of the legacy revisions have sessions, in which something can be remembered. */
  sessions: boolean
  tools: Toolbox
  resources: Library
  /** The methods about prompts exist where there are any. */
  prompts?: PromptBook
  /** What is served may change, and clients may listen. */
  changes?: Changes
  /** Work may write to the log of a client that asks for it. */
  logs?: boolean
  /** Work may go on after its request was answered. */
  tasks?: TaskDesk
}

export interface MethodResult {
  result: Record<string, unknown>
  /** How long and by whom the result may be kept, where the method is one that says so. */
  cache?: { ttlMs: number, scope: 'public' | 'private' }
  /** The very same object each time, so that its bytes can be made once. */
  constant?: boolean
}

export type Method = (params: Params, call: Call, catalogue: Catalogue) => Work<MethodResult>
