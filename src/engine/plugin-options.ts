/** The options of the engine's Fastify plugin: what the server offers, and the ports that it may bring. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OriginGuard } from '../lib/http/origin-guard.js'
import type { Authentication, Principal } from '../lib/principal.js'
import type { Around } from './around/around.js'
import type { AuditSink } from './audit-entry.js'
import type { ReplyMode } from './eras/era.js'
import type { AskedIds } from './eras/legacy/server-requests.js'
import type { EventStore } from './eras/legacy/event-store.js'
import type { SessionPreferencesStore } from './eras/legacy/session-preferences.js'
import type { EndedSessionStore, Sessions } from './eras/legacy/session.js'
import type { EventBus } from './event-bus.js'
import type { AcceptRule } from './http/accept.js'
import type { OpenStreams } from './http/open-streams.js'
import type { RequestLimiter } from './http/request-limiter.js'
import type { Instrument } from './instrumentation.js'
import type { ServerIdentity } from './methods/method.js'
import type { Prompt } from './prompts/prompt.js'
import type { RequestInfo } from './request-info.js'
import type { LocateResources, Resource } from './resources/resource.js'
import type { Revision } from './revisions.js'
import type { SkillFolders } from './skills/skill.js'
import type { ChangeNotifier } from './subscriptions.js'
import type { TaskRunner } from './tasks/task-runner.js'
import type { TaskStore } from './tasks/task-store.js'
import type { Tool } from './tools/tool.js'
import type { ToolSet } from './tools/tool-set.js'
import type { ExchangeListener } from './traffic/wire-exchange.js'

/** Stores of the protocol's state. Each is in the memory of this process when absent; replicas share theirs. */
export interface EngineStores {
  /** The messages of resumable streams. */
  events?: EventStore | undefined
  /** Sessions that were ended before they expired. Not used when `sessions` is given. */
  endedSessions?: EndedSessionStore | undefined
  /** Log levels and subscriptions of sessions. */
  sessionPreferences?: SessionPreferencesStore | undefined
  /** Used when `tasks` is true. */
  tasks?: TaskStore | undefined
  /** The ids of requests to clients, so that any replica can receive the response. None when absent. */
  askedIds?: AskedIds | undefined
}

/** Bounds of the endpoint. */
export interface EngineLimits {
  /** The largest body of a request, in bytes; 131,072 by default. */
  maxBodyBytes?: number
  /** The most messages of a batch (revision 2025-03-26); 50 by default. */
  maxBatch?: number
  /** Calls of one credential that run at the same time; 8 by default. Four times as many wait for at most 10 s. */
  maxConcurrentCalls?: number
  /** Open streams of one credential; 64 by default. Not used when `streams` is given. */
  maxStreams?: number
}

/** The parts that the tools, resources and prompts of a server have in common. */
export interface McpPluginOptions<Services extends object = object, P extends Principal = Principal> {
  server: ServerIdentity
  /** How to use the server, as text for the model. */
  instructions?: string | undefined
  /** The same for callers who need other instructions; undefined for those who do not. */
  instructionsFor? (principal: P): string | undefined

  /** A list, or a `toolSet` whose tools come and go. */
  tools?: ReadonlyArray<Tool<never, Services, P>> | ToolSet<Services, P>
  /**
   * Whether the input schemas of the tools are checked and compiled when the plugin is registered, which throws for an
   * invalid one; true by default. Without it each is compiled when its tool is first called, so that a server starts
   * sooner: for a server whose tests check its schemas.
   */
  checkToolSchemas?: boolean | undefined
  /**
   * Whether results are checked against the output schemas of their tools; true by default. One that does not fit is an
   * error of the program.
   */
  checkToolResults?: boolean | undefined
  resources?: ReadonlyArray<Resource<Services, P>>
  /** Without prompts the methods about prompts do not exist. */
  prompts?: ReadonlyArray<Prompt<Services, P>>
  /**
   * Folders of skills, which clients of 2026-07-28 list and verify by digests. They are read when the plugin is
   * registered, which throws for a skill that breaks the rules. Without them the methods about skills do not exist.
   */
  skills?: readonly string[] | SkillFolders | undefined
  /**
   * Added to the context of each tool, resource and prompt, such as a database; a function gives them for the caller of
   * each request.
   */
  services?: Services | ((principal: P) => Services)
  /** Checks in one call whether many resources are there; without it each is read. */
  locateResources?: LocateResources<Services, P>
  /**
   * Put around every call, and around each entry of a list: `async (operation, next) => { …; return await next() }`.
   * What it throws refuses the call and hides the entry.
   */
  around?: Around<P>
  /** A note about the texts in structured results and resources, which goes into their `_meta`. */
  dataNote?: Readonly<Record<string, string>>
  /** The changes that clients can subscribe to. A `toolSet` announces its changes there, and without it of itself. */
  changes?: ChangeNotifier<P>
  /** Whether handlers send log messages to clients. False by default. */
  logs?: boolean
  /** Whether handlers may go on as tasks, or what runs them. False by default. The plugin closes it with the server. */
  tasks?: boolean | TaskRunner

  /**
   * Says who calls. Without it everybody is one anonymous caller with the scope `admin`: for servers on loopback.
   * What it throws refuses the request; resolve with `{ reason, hint }` where a credential is missing or wrong, so
   * that the attempt is counted before it is refused with 401.
   */
  authenticate?: (request: FastifyRequest, reply: FastifyReply) => Promise<Authentication<P>>
  /**
   * Returns the address of the server's protected resource metadata (RFC 9728), for a server whose clients get their
   * tokens by OAuth. Each challenge then names it, and `tools/list` shows the tools of every scope: a client that calls
   * one with too small a scope gets a 403 that names the scope, and can ask its user for it.
   */
  resourceMetadata?: (request: FastifyRequest) => string
  /**
   * Returns the WWW-Authenticate header of a 401, and of a 403 when the scope of the credential is too small:
   * `neededScope` is then what the request needs. By default a `Bearer` challenge with the server's name as realm.
   */
  challenge?: (request: FastifyRequest, neededScope: string | undefined) => string
  /**
   * Counts requests. When absent, only wrong credentials are: 60 a minute of an address. A caller with the reason
   * `missing` sent none.
   */
  limiter?: RequestLimiter<P>
  /** The register of open streams, for a server that ends streams itself. */
  streams?: OpenStreams<P>
  limits?: EngineLimits
  /** Origins of web pages that may call, such as `https://app.example`. Not used when `origin` is given. */
  allowedOrigins?: readonly string[]
  /** The URL under which clients reach the server, for a server on loopback behind a proxy. */
  publicUrl?: string
  /** The check of `Origin` and `Host`; by default pages of loopback may call a server that listens on loopback. */
  origin?: OriginGuard

  /** The paths of the endpoint; `/mcp` and `/mcp/` by default, as a redirect would lose the Authorization header. */
  paths?: readonly string[]
  /** The revisions of the specification that are served; all by default. */
  revisions?: readonly Revision[]
  /** Whether clients of the legacy revisions get sessions, or what issues these. True by default. */
  sessions?: boolean | Sessions
  /**
   * Secrets that sign session ids and encrypt request state: the first signs, all are accepted. Random by default,
   * and then sessions end with the process. Replicas need the same.
   */
  secrets?: readonly [string, ...string[]]
  /** How a request is answered: as JSON unless something is sent before its result (`auto`), or always alike. */
  replyMode?: ReplyMode
  /** Whether a POST must accept both JSON and event streams (`strict`, the default), or one of them (`negotiated`). */
  acceptRule?: AcceptRule
  /** Whether a header that disagrees with the body refuses the request (`strict`, the default) or is reported. */
  headerValidation?: 'strict' | 'report'

  stores?: EngineStores
  /** Connects the replicas of a server; in this process by default. */
  bus?: EventBus
  /** Nothing is recorded when absent. */
  audit?: AuditSink<P>
  instrument?: Instrument
  /** Receive each finished HTTP exchange, such as for a traffic log. */
  exchangeListeners?: readonly ExchangeListener[]
  /** Receives what an exchange listener throws; logged by default. */
  onListenerError?: (error: unknown) => void
  /** Receives each error that is not the client's; logged by default. */
  onUnexpectedError?: (error: unknown, where: { requestId: string, about: RequestInfo }) => void
  /** Returns the client's address for the audit log; `request.ip` by default. */
  addressOf?: (request: FastifyRequest) => string
}
