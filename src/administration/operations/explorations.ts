/** Explorations: search, detail, packages, plans, and what an agent sees of them. */
import agentView from '#schemas/web/agent_view.json' with { type: 'json' }
import exploration from '#schemas/web/exploration.json' with { type: 'json' }
import explorationPath from '#schemas/web/exploration_path.json' with { type: 'json' }
import explorations from '#schemas/web/explorations.json' with { type: 'json' }
import explorationsQuery from '#schemas/web/explorations_query.json' with { type: 'json' }
import requirementPackage from '#schemas/web/package.json' with { type: 'json' }
import packagePath from '#schemas/web/package_path.json' with { type: 'json' }
import plan from '#schemas/web/plan.json' with { type: 'json' }
import planPatch from '#schemas/web/plan_patch.json' with { type: 'json' }
import explorationActivity from '#schemas/web/exploration_activity.json' with { type: 'json' }
import heldItems from '#schemas/web/held_items.json' with { type: 'json' }
import packageVersion from '#schemas/web/package_version.json' with { type: 'json' }
import packageVersionPath from '#schemas/web/package_version_path.json' with { type: 'json' }
import packageVersions from '#schemas/web/package_versions.json' with { type: 'json' }
import tags from '#schemas/web/tags.json' with { type: 'json' }
import tagsQuery from '#schemas/web/tags_query.json' with { type: 'json' }
import { tagged } from '../operation.js'
import { EDITORS, READERS } from '../permission.js'

export const explorationsOperations = tagged('explorations', {
  'GET /explorations': {
    id: 'listExplorations',
    summary: 'Search explorations, or list the newest',
    may: READERS,
    query: explorationsQuery,
    response: explorations
  },
  'GET /tags': {
    id: 'listTags',
    summary: 'Tags in use',
    may: READERS,
    query: tagsQuery,
    response: tags
  },
  'GET /explorations/:id': {
    id: 'getExploration',
    summary: 'One exploration',
    may: READERS,
    params: explorationPath,
    response: exploration
  },
  'GET /explorations/:id/packages/:type': {
    id: 'getPackage',
    summary: 'One requirement package',
    may: READERS,
    params: packagePath,
    response: requirementPackage
  },
  'GET /explorations/:id/plan': {
    id: 'getPlan',
    summary: 'The whole plan',
    may: READERS,
    params: explorationPath,
    response: plan
  },
  'GET /explorations/:id/patch': {
    id: 'getPlanPatch',
    summary: 'What was changed here of a plan whose files this server follows, as a diff for git apply',
    tag: 'explorations',
    may: EDITORS,
    params: explorationPath,
    response: planPatch
  },
  'GET /explorations/:id/packages/:type/versions': {
    id: 'listPackageVersions',
    summary: 'The versions of a requirement package, newest first',
    may: READERS,
    params: packagePath,
    response: packageVersions
  },
  'GET /explorations/:id/packages/:type/versions/:version': {
    id: 'getPackageVersion',
    summary: 'One version of a requirement package',
    may: READERS,
    params: packageVersionPath,
    response: packageVersion
  },
  'GET /explorations/:id/held': {
    id: 'listHeldItems',
    summary: 'The items that agents hold',
    may: EDITORS,
    params: explorationPath,
    response: heldItems
  },
  'GET /explorations/:id/activity': {
    id: 'getExplorationActivity',
    summary: 'Who read and who changed an exploration lately; viewers see what was theirs',
    may: READERS,
    params: explorationPath,
    response: explorationActivity
  },
  'GET /explorations/:id/agent-view': {
    id: 'getAgentView',
    summary: 'What each tool answers about an exploration',
    may: READERS,
    params: explorationPath,
    response: agentView
  }
})
