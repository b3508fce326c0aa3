/** The type of a JSON-RPC method: era-neutral work on a request whose framing is already checked. */
import type { RequestContext, HandlerOutput } from '../request-context.js'
import type { Principal } from '../../lib/principal.js'
import type { ChangeNotifier } from '../subscriptions.js'
import type { ShowEntries } from '../around/around.js'
import type { Icon } from '../icon.js'
import type { Params } from '../jsonrpc/message.js'
import type { PromptRegistry } from '../prompts/prompt-registry.js'
import type { ResourceRegistry } from '../resources/resource-registry.js'
import type { SkillRegistry } from '../skills/skill-registry.js'
import type { TaskRunner } from '../tasks/task-runner.js'
import type { ToolRegistry } from '../tools/tool-registry.js'

/** What the server says of itself. `name` is for programs, `title` and `description` for people. */
export interface ServerIdentity {
  name: string
  version: string
  title?: string
  description?: string
  icons?: readonly Icon[]
}

/** What the server offers: the registries and features that the methods work on. */
export interface ServerFeatures {
  server: ServerIdentity
  /** How to use the server, as text for the model. */
  instructions?: string | undefined
  /** The same for callers who need others; undefined for those who do not. */
  instructionsFor? (principal: Principal): string | undefined
  supportedVersions: readonly string[]
  /** A note about the texts in structured results and resources, which goes into their `_meta`; none when undefined. */
  dataNote?: Readonly<Record<string, string>> | undefined
  /** Whether callers of the legacy revisions have sessions. */
  sessions: boolean
  /** Another one when the tools have changed. */
  tools: ToolRegistry
  toolsChange?: boolean
  resources: ResourceRegistry
  prompts?: PromptRegistry | undefined
  /** The skills, whose files are among the resources. Without them the methods about skills do not exist. */
  skills?: SkillRegistry | undefined
  changes?: ChangeNotifier | undefined
  logs?: boolean | undefined
  /** Shows the entries of lists through the server's hook; all as they are when undefined. */
  showEntries?: ShowEntries | undefined
  tasks?: TaskRunner | undefined
}

export type OptionalFeature =
  'tools' | 'resources' | 'prompts' | 'completions' | 'skills' | 'changes' | 'logs' | 'tasks'

/** Whether a server has a part of the protocol: only then do its methods exist and its capability is declared. */
export const offers = (features: ServerFeatures, feature: OptionalFeature): boolean => {
  switch (feature) {
    case 'tools': return features.toolsChange === true || features.tools.names.length > 0
    case 'resources': return !features.resources.isEmpty
    case 'completions': return !features.resources.isEmpty || features.prompts !== undefined
    case 'prompts':
    case 'skills':
    case 'changes':
    case 'logs':
    case 'tasks': return Boolean(features[feature])
  }
}

export interface MethodResult {
  result: Record<string, unknown>
  /** How long and by whom the result may be cached, for the methods that say so. */
  cache?: { ttlMs: number, scope: 'public' | 'private' }
  /** Whether the result is the same object each time, so that its bytes can be cached. */
  constant?: boolean
  /** Whether clients learn from it what the server is, with its icons. */
  introduces?: boolean
  /** Whether its texts come from records. Invisible characters are removed from them before anybody gets the result. */
  hasRecordTexts?: boolean
}

export const outcomeOf = ({ result }: MethodResult): string => result['isError'] === true ? 'error' : 'ok'

/** Throws or rejects with a `Fault` to refuse the request. */
export type Method = (params: Params, context: RequestContext, features: ServerFeatures) => HandlerOutput<MethodResult>
