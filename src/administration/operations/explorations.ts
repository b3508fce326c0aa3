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
import { row, tagged } from '../operation.js'
import { EDITORS, READERS } from '../permission.js'

export const explorationsOperations = tagged('explorations', {
  'GET /explorations': row('listExplorations', 'Search explorations, or list the newest', READERS,
    { query: explorationsQuery, response: explorations }),
  'GET /tags': row('listTags', 'Tags in use', READERS, { query: tagsQuery, response: tags }),
  'GET /explorations/:id': row('getExploration', 'One exploration', READERS,
    { params: explorationPath, response: exploration }),
  'GET /explorations/:id/packages/:type': row('getPackage', 'One requirement package', READERS,
    { params: packagePath, response: requirementPackage }),
  'GET /explorations/:id/plan': row('getPlan', 'The whole plan', READERS, { params: explorationPath, response: plan }),
  'GET /explorations/:id/patch': row('getPlanPatch',
    'What was changed here of a plan whose files this server follows, as a diff for git apply', EDITORS,
    { params: explorationPath, response: planPatch }),
  'GET /explorations/:id/packages/:type/versions': row('listPackageVersions',
    'The versions of a requirement package, newest first', READERS, { params: packagePath, response: packageVersions }),
  'GET /explorations/:id/packages/:type/versions/:version': row('getPackageVersion',
    'One version of a requirement package', READERS, { params: packageVersionPath, response: packageVersion }),
  'GET /explorations/:id/held': row('listHeldItems', 'The items that agents hold', EDITORS,
    { params: explorationPath, response: heldItems }),
  'GET /explorations/:id/activity': row('getExplorationActivity',
    'Who read and who changed an exploration lately; viewers see what was theirs', READERS,
    { params: explorationPath, response: explorationActivity }),
  'GET /explorations/:id/agent-view': row('getAgentView', 'What each tool answers about an exploration', READERS,
    { params: explorationPath, response: agentView })
})
