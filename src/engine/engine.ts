/**
 * `exploration-mcp/engine`: an MCP server as a Fastify plugin, for every revision from 2024-11-05 to 2026-07-28.
 *
 * Start with `createMcpPlugin`. The other exports are the types of tools, resources and prompts, the errors that they
 * throw, and the ports that a server with replicas, an audit log or metrics implements.
 */

export { createMcpPlugin } from './mcp-plugin.js'
export type { EngineLimits, EngineStores, McpPluginOptions } from './plugin-options.js'
export type { ServerIdentity } from './methods/method.js'
export { LEGACY_REVISIONS, MODERN_REVISIONS, REVISIONS } from './revisions.js'
export type { LegacyRevision, ModernRevision, Revision } from './revisions.js'
export type { AcceptRule } from './http/accept.js'
export type { ReplyMode } from './eras/era.js'

// What tools, resources and prompts are made of
export { defineTool } from './tools/define-tool.js'
export type { DefinedTool, InputOf, InputSchema, OutputOf, OutputSchema, ToolFacts } from './tools/define-tool.js'
export type { LibrarySchema } from './tools/library-schema.js'
export { toolSet } from './tools/tool-set.js'
export type { ToolSet } from './tools/tool-set.js'
export { result } from './tools/tool.js'
export type { Content, SchemaCheck, SchemaExtension, Tool, ToolAccess, ToolResult, ToolSchema } from './tools/tool.js'
export { VIEW_MIME_TYPE } from './views/view.js'
export type { ResourceView, ToolView } from './views/view.js'
export type { Icon } from './icon.js'
export type {
  LocateResources, MatchedResource, ReadContents, Resource, ResourceAnnotations, ResourceContents, ResourceEntry,
  Variables
} from './resources/resource.js'
export type { Prompt, PromptArgument, PromptMessage, PromptResult } from './prompts/prompt.js'
export type { SkillFolders } from './skills/skill.js'
export { inputRequired, progress, requestInput } from './request-context.js'
export type {
  BecomeTask, ClientInfo, CloseStream, HandlerEvent, HandlerOutput, InputRequest, InputRequired, InputResponses,
  OutgoingNotification, RequestContext, SessionHandle
} from './request-context.js'
export type { LogLevel } from './log-level.js'

// What is put around all of them
export type { Around, Operation } from './around/around.js'

// Errors
export { Fault, forbidden, insufficientScope, Refusal, unavailable } from '../lib/errors.js'
export type { FaultKind } from '../lib/errors.js'

// Who calls
export type { Authentication, Principal, Scope } from '../lib/principal.js'
export type { RequestLimiter } from './http/request-limiter.js'
export { originGuard } from '../lib/http/origin-guard.js'
export type { OriginGuard, OriginRules } from '../lib/http/origin-guard.js'

// State that replicas share
export { memoryEventBus } from './event-bus.js'
export type { BusEvents, EventBus } from './event-bus.js'
export { memoryEventStore } from './eras/legacy/event-store.js'
export type { EventStore, StoredEvent } from './eras/legacy/event-store.js'
export type { StreamLimits } from './eras/legacy/stream-budget.js'
export { createSessions, memoryEndedSessionStore } from './eras/legacy/session.js'
export type { EndedSessionStore, Session, SessionOptions, Sessions } from './eras/legacy/session.js'
export { memorySessionPreferences } from './eras/legacy/session-preferences.js'
export type { SessionPreferences, SessionPreferencesStore } from './eras/legacy/session-preferences.js'
export type { AskedIds } from './eras/legacy/server-requests.js'
export { createTaskRunner } from './tasks/task-runner.js'
export type { TaskRunner, TaskRunnerOptions } from './tasks/task-runner.js'
export type { TaskHandoff } from './tasks/task-execution.js'
export type { HandlerGenerator } from './request-context.js'
export { memoryTaskStore } from './tasks/memory-task-store.js'
export type { JsonObject } from '../lib/json/json-object.js'
export type { NewTask, TaskEnd, TaskRecord, TaskStatus, TaskStore } from './tasks/task-store.js'

// Changes that clients subscribe to
export { memoryChanges } from './memory-changes.js'
export type { MemoryChanges, MemoryChangesOptions } from './memory-changes.js'
export type { ChangeNotifier, ListKind, ResourceChange, SubscriptionFilter } from './subscriptions.js'

// What an operator watches
export type { AuditEntry, AuditSink } from './audit-entry.js'
export type { Instrument, Instrumented } from './instrumentation.js'
export type { OperationLabels, RequestInfo } from './request-info.js'
export { openStreams } from './http/open-streams.js'
export type { OpenStreams, StaleCheck } from './http/open-streams.js'
export type { ExchangeListener, WireExchange } from './traffic/wire-exchange.js'
export { redactBody, redactJson } from './traffic/redact-json.js'

// How clients are judged
export { createObserver } from './observer/observer.js'
export type { Observer, ObserverOptions } from './observer/observer.js'
export type { ObservedClient, OnFirstFinding, RuleFinding } from './observer/client-registry.js'
export { CLIENT_RULES } from './observer/rules.js'
export type { ClientRule, RuleId } from './observer/rules.js'
export { parseExchange, replyTo } from './observer/parsed-exchange.js'
export type { ParsedExchange } from './observer/parsed-exchange.js'
export type { ParsedMessage } from './jsonrpc/parse.js'
export type { Message } from './jsonrpc/message.js'
export type { Clause } from './eras/faults.js'
export type { EraName } from './eras/era.js'

// How to test a server
export { testClient } from './testing/test-client.js'
export type { TestCallResult, TestClient, TestResult } from './testing/test-client.js'
export type {
  TestClientOptions, TestNotification, TestRequestOptions, TestSubscription
} from './testing/test-client-options.js'
export { TestClientError } from './testing/client-connection.js'
export type { ToolDefinition } from './tools/tool-registry.js'
