/**
 * Operations of the platform API for planning data. The gateway decides who may see what: lists over several
 * workspaces, and searches, name the workspaces to read.
 */
import shapes from '#schemas/platform-api/records.json' with { type: 'json' }
import { operationsOf } from './operation.js'

const WITHOUT = 'variables of resource templates are not completed'

export const records = operationsOf({
  listWorkspaces: {
    route: 'POST /workspaces/list',
    summary: 'Those that the caller can see, by name, page by page',
    body: shapes.workspacesQuery,
    answer: shapes.workspacePage,
    large: true
  },
  getWorkspace: {
    route: 'GET /workspaces/{id}',
    summary: 'One workspace',
    params: shapes.idPath,
    answer: shapes.workspace,
    mayLack: true
  },
  listExplorations: {
    route: 'GET /workspaces/{id}/explorations',
    summary: 'Those of a workspace, most recently updated first, page by page',
    params: shapes.idPath,
    query: shapes.pageQuery,
    answer: shapes.explorationPage,
    large: true
  },
  getExploration: {
    route: 'GET /explorations/{id}',
    summary: 'One exploration, with what else there is of it',
    params: shapes.idPath,
    answer: shapes.exploration,
    mayLack: true,
    large: true
  },
  getExplorationWorkspace: {
    route: 'GET /explorations/{id}/workspace',
    summary: 'The workspace that an exploration belongs to; asked before the gateway shows anything of it',
    params: shapes.idPath,
    answer: shapes.explorationWorkspace,
    mayLack: true
  },
  searchExplorations: {
    route: 'POST /explorations/search',
    summary: 'Those that fit a question, best first, page by page',
    body: shapes.search,
    answer: shapes.searchResults,
    large: true
  },
  listPackages: {
    route: 'GET /explorations/{id}/packages',
    summary: 'The types of an exploration’s requirement packages',
    params: shapes.idPath,
    answer: shapes.artifactTypes,
    mayLack: true
  },
  getPackage: {
    route: 'GET /explorations/{id}/packages/{type}',
    summary: 'One requirement package',
    params: shapes.packagePath,
    answer: shapes.requirementPackage,
    mayLack: true,
    large: true
  },
  getPlan: {
    route: 'GET /explorations/{id}/plan',
    summary: 'The execution plan of an exploration, in order',
    params: shapes.idPath,
    answer: shapes.executionPlan,
    mayLack: true,
    large: true
  },
  getPlanState: {
    route: 'GET /explorations/{id}/plan/state',
    summary: 'The same, counted',
    params: shapes.idPath,
    answer: shapes.planState,
    mayLack: true
  },
  listRecommendations: {
    route: 'GET /explorations/{id}/recommendations',
    summary: 'The approved strategies and recommendations of an exploration',
    params: shapes.idPath,
    query: shapes.recommendationsQuery,
    answer: shapes.recommendations,
    mayLack: true,
    large: true
  },
  completeWorkspaces: {
    route: 'POST /workspaces/complete',
    summary: 'Workspaces that begin like that',
    body: shapes.completionQuery,
    answer: shapes.workspaceCompletions,
    without: WITHOUT
  },
  completeExplorations: {
    route: 'POST /explorations/complete',
    summary: 'Explorations that begin like that',
    body: shapes.completionQuery,
    answer: shapes.explorationCompletions,
    without: WITHOUT
  },
  completePackages: {
    route: 'POST /packages/complete',
    summary: 'Types of requirement packages that begin like that',
    body: shapes.packageCompletionQuery,
    answer: shapes.artifactTypes,
    without: WITHOUT
  }
})
