/** Explorations: search, detail, packages, plans, and what an agent sees of them. */
import shapes from '#schemas/operations/explorations.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { EDITORS, READERS } from '../permission.js'

export const explorationsOperations = tagged('explorations', {
  'GET /explorations': row('listExplorations', 'Search explorations, or list the newest', READERS,
    { query: shapes.explorationsQuery, response: shapes.explorations }),
  'GET /tags': row('listTags', 'Tags in use', READERS, { query: shapes.tagsQuery, response: shapes.tags }),
  'GET /explorations/:id': row('getExploration', 'One exploration', READERS,
    { params: paths.exploration, response: shapes.exploration }),
  'GET /explorations/:id/packages/:type': row('getPackage', 'One requirement package', READERS,
    { params: paths.package, response: shapes.requirementPackage }),
  'GET /explorations/:id/plan': row('getPlan', 'The whole plan', READERS,
    { params: paths.exploration, response: shapes.plan }),
  'GET /explorations/:id/patch': row('getPlanPatch',
    'What was changed here of a plan whose files this server follows, as a diff for git apply', EDITORS,
    { params: paths.exploration, response: shapes.planPatch }),
  'GET /explorations/:id/packages/:type/versions': row('listPackageVersions',
    'The versions of a requirement package, newest first', READERS,
    { params: paths.package, response: shapes.packageVersions }),
  'GET /explorations/:id/packages/:type/versions/:version': row('getPackageVersion',
    'One version of a requirement package', READERS, { params: paths.packageVersion, response: shapes.packageVersion }),
  'GET /explorations/:id/held': row('listHeldItems', 'The items that agents hold', EDITORS,
    { params: paths.exploration, response: shapes.heldItems }),
  'GET /explorations/:id/activity': row('getExplorationActivity',
    'Who read and who changed an exploration lately; viewers see what was theirs', READERS,
    { params: paths.exploration, response: shapes.explorationActivity }),
  'GET /explorations/:id/agent-view': row('getAgentView', 'What each tool answers about an exploration', READERS,
    { params: paths.exploration, response: shapes.agentView })
})
