/** What the server says about itself: 2025-11-25 basic/lifecycle#initialization, 2026-07-28 server/discover */
import type { RequestContext } from '../request-context.js'
import type { ListKind } from '../subscriptions.js'
import { supports } from '../revisions.js'
import { SKILLS } from '../skills/skill.js'
import { TASKS } from '../tasks/task.js'
import { acceptsViews, VIEWS } from '../views/view.js'
import { offers, type ServerFeatures, type Method, type ServerIdentity, type MethodResult } from './method.js'
import { weakMemo } from '../../lib/weak-memo.js'

const sharesViews = ({ tools, resources }: ServerFeatures, { client }: RequestContext): boolean =>
  (tools.hasViews || resources.hasViews) && acceptsViews(client.capabilities)

/** They list only what the server can do for callers of the revision. `views`: for a client that shows its views. */
const capabilities = (
  revision: string, features: ServerFeatures, views: boolean
): Record<string, unknown> => {
  const { changes, sessions } = features
  const remembers = sessions || supports(revision, 'stateless')
  const changing = (list: ListKind) => remembers && changes?.lists.has(list) ? { listChanged: true } : {}
  const extensions = {
    ...(offers(features, 'tasks') && supports(revision, 'tasksExtension') && { [TASKS]: {} }),
    ...(offers(features, 'skills') && supports(revision, 'skillsExtension') && { [SKILLS]: { directoryRead: true } }),
    ...(views && { [VIEWS]: {} })
  }
  return {
    ...(offers(features, 'tools') && { tools: changing('tools') }),
    ...(offers(features, 'resources') && {
      resources: { ...(remembers && changes && { subscribe: true }), ...changing('resources') }
    }),
    ...(offers(features, 'prompts') && { prompts: changing('prompts') }),
    ...(remembers && offers(features, 'logs') && { logging: {} }),
    ...(offers(features, 'completions') && supports(revision, 'completionsCapability') && { completions: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions })
  }
}

export const initialize: Method = async (_params, context, features) => ({
  result: {
    protocolVersion: context.revision,
    capabilities: capabilities(context.revision, features, sharesViews(features, context)),
    serverInfo: identity(features.server, context.revision),
    instructions: features.instructionsFor?.(context.principal) ?? features.instructions
  }
})

const identity = ({ name, title, version, description, icons }: ServerIdentity, revision: string) => ({
  name,
  ...(supports(revision, 'titles') && { title }),
  version,
  ...(supports(revision, 'serverDescription') && { description }),
  ...(supports(revision, 'icons') && { icons })
})

const HOUR = 3_600_000

export const discover: Method = async (_params, context, features) => {
  const { principal, revision } = context
  const views = sharesViews(features, context)
  const own = features.instructionsFor?.(principal)
  return memo(features, `${revision}${views ? ' views' : ''} ${own ?? ''}`, () => ({
    result: {
      supportedVersions: features.supportedVersions,
      capabilities: capabilities(revision, features, views),
      instructions: own ?? features.instructions
    },
    // What a cache shares is the answer to clients without views, with the instructions of all.
    cache: { ttlMs: HOUR, scope: views || own !== undefined ? 'private' : 'public' },
    constant: true,
    introduces: true
  }))
}

const memo = weakMemo<ServerFeatures, MethodResult>()
