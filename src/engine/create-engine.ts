/** Composes the protocol: the methods that the server offers, and the two eras that frame them. */
import { randomBytes } from 'node:crypto'
import type { Principal } from '../lib/principal.js'
import { showEntriesThrough } from './around/around.js'
import { eventPositions } from './eras/legacy/event-id.js'
import { memoryEventStore } from './eras/legacy/event-store.js'
import { legacyEra, type LegacyEra } from './eras/legacy/index.js'
import { createSessions, memoryEndedSessionStore, type Sessions } from './eras/legacy/session.js'
import { memorySessionPreferences } from './eras/legacy/session-preferences.js'
import { modernEra } from './eras/modern/index.js'
import { requestStateCodec } from './eras/modern/request-state.js'
import { memoryEventBus } from './event-bus.js'
import type { ProtocolEngine } from './protocol-engine.js'
import { methodsFor } from './methods/index.js'
import type { ServerFeatures } from './methods/method.js'
import type { McpPluginOptions } from './plugin-options.js'
import { createAttachServices } from './request-context.js'
import { promptRegistry } from './prompts/prompt-registry.js'
import { resourceRegistry } from './resources/resource-registry.js'
import { LEGACY_REVISIONS, REVISIONS } from './revisions.js'
import { withSkillFiles, type SkillRegistry } from './skills/skill-registry.js'
import { createTaskRunner } from './tasks/task-runner.js'
import { memoryTaskStore } from './tasks/memory-task-store.js'
import { toolRegistry, type BoundTool } from './tools/tool-registry.js'
import type { Tool } from './tools/tool.js'
import { isToolSet } from './tools/tool-set.js'

export interface ComposedEngine extends ProtocolEngine {
  eras: ProtocolEngine['eras'] & { legacy: LegacyEra }
  /** Prepares other tools than those of the options; what it returns puts them in their place. */
  prepareTools: (tools: Iterable<Tool<never>>) => () => void
}

const WEEK_SECONDS = 604_800

/** @param onUnexpectedError receives errors that are not the client's */
export const createEngine = <Services extends object, P extends Principal>(
  options: McpPluginOptions<Services, P>, onUnexpectedError: ProtocolEngine['onUnexpectedError'],
  skills?: SkillRegistry
): ComposedEngine => {
  const {
    revisions = REVISIONS, bus = memoryEventBus(), stores = {}, secrets = [randomBytes(32).toString('hex')], changes
  } = options
  const sessions = sessionsOf(options, secrets)
  // Without services the type of their context is `object`, which an empty one is.
  const attachServices = createAttachServices(options.services ?? {} as Services)
  const bound = new WeakMap<object, BoundTool>()
  const registryOf = (tools: Iterable<Tool<never, Services, P>>) => toolRegistry([...tools], attachServices, {
    listsAll: options.resourceMetadata !== undefined,
    checkToolSchemas: options.checkToolSchemas,
    checkToolResults: options.checkToolResults,
    bound
  })
  const resources = resourceRegistry(options.resources ?? [], attachServices, options.locateResources)
  const features: ServerFeatures = {
    server: options.server,
    instructions: options.instructions,
    ...options.instructionsFor && { instructionsFor: options.instructionsFor.bind(options) },
    dataNote: options.dataNote,
    supportedVersions: [...revisions].sort().reverse(),
    sessions: sessions !== undefined,
    tools: registryOf(options.tools ?? []),
    toolsChange: isToolSet(options.tools),
    resources: skills ? withSkillFiles(resources, skills) : resources,
    prompts: options.prompts && promptRegistry(options.prompts, attachServices),
    skills,
    changes,
    showEntries: options.around && showEntriesThrough(options.around, onUnexpectedError),
    logs: options.logs,
    tasks: options.tasks === true
      ? createTaskRunner(stores.tasks ?? memoryTaskStore(), bus)
      : options.tasks || undefined
  }
  const methods = methodsFor(features)
  return {
    eras: {
      legacy: legacyEra({
        served: LEGACY_REVISIONS.filter((revision) => revisions.includes(revision)),
        sessions,
        preferences: stores.sessionPreferences ?? memorySessionPreferences(),
        eventStore: stores.events ?? memoryEventStore(),
        positions: eventPositions(secrets),
        bus,
        askedIds: stores.askedIds,
        changes
      }),
      modern: modernEra(features, requestStateCodec(secrets), options.headerValidation)
    },
    methods,
    features,
    prepareTools: (tools) => {
      const registry = registryOf(tools)
      return () => { features.tools = registry }
    },
    around: options.around,
    audit: options.audit,
    instrument: options.instrument,
    onUnexpectedError
  }
}

const sessionsOf = (
  { sessions = true, stores }: Pick<McpPluginOptions, 'sessions' | 'stores'>, secrets: readonly [string, ...string[]]
): Sessions | undefined => {
  if (sessions === false) return undefined
  if (sessions !== true) return sessions
  const ended = stores?.endedSessions ?? memoryEndedSessionStore()
  return createSessions({ secrets, ttlSeconds: WEEK_SECONDS, ended })
}
