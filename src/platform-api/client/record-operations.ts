/**
 * Operations of the platform API for planning data. The gateway decides who may see what: lists over several
 * workspaces, and searches, name the workspaces to read.
 */
import artifactTypes from '#schemas/platform-api/artifact_types.json' with { type: 'json' }
import completionQuery from '#schemas/platform-api/completion_query.json' with { type: 'json' }
import executionPlan from '#schemas/platform-api/execution_plan.json' with { type: 'json' }
import exploration from '#schemas/platform-api/exploration.json' with { type: 'json' }
import explorationCompletions from '#schemas/platform-api/exploration_completions.json' with { type: 'json' }
import explorationPage from '#schemas/platform-api/exploration_page.json' with { type: 'json' }
import explorationWorkspace from '#schemas/platform-api/exploration_workspace.json' with { type: 'json' }
import idPath from '#schemas/platform-api/id_path.json' with { type: 'json' }
import packageCompletionQuery from '#schemas/platform-api/package_completion_query.json' with { type: 'json' }
import packagePath from '#schemas/platform-api/package_path.json' with { type: 'json' }
import pageQuery from '#schemas/platform-api/page_query.json' with { type: 'json' }
import planState from '#schemas/platform-api/plan_state.json' with { type: 'json' }
import recommendations from '#schemas/platform-api/recommendations.json' with { type: 'json' }
import recommendationsQuery from '#schemas/platform-api/recommendations_query.json' with { type: 'json' }
import requirementPackage from '#schemas/platform-api/requirement_package.json' with { type: 'json' }
import search from '#schemas/platform-api/search.json' with { type: 'json' }
import searchResults from '#schemas/platform-api/search_results.json' with { type: 'json' }
import workspace from '#schemas/platform-api/workspace.json' with { type: 'json' }
import workspaceCompletions from '#schemas/platform-api/workspace_completions.json' with { type: 'json' }
import workspacePage from '#schemas/platform-api/workspace_page.json' with { type: 'json' }
import workspacesQuery from '#schemas/platform-api/workspaces_query.json' with { type: 'json' }
import { operationsOf } from './operation.js'

const WITHOUT = 'variables of resource templates are not completed'

export const records = operationsOf({
  listWorkspaces: {
    route: 'POST /workspaces/list',
    summary: 'Those that the caller can see, by name, page by page',
    body: workspacesQuery,
    answer: workspacePage,
    large: true
  },
  getWorkspace: {
    route: 'GET /workspaces/{id}',
    summary: 'One workspace',
    params: idPath,
    answer: workspace,
    mayLack: true
  },
  listExplorations: {
    route: 'GET /workspaces/{id}/explorations',
    summary: 'Those of a workspace, most recently updated first, page by page',
    params: idPath,
    query: pageQuery,
    answer: explorationPage,
    large: true
  },
  getExploration: {
    route: 'GET /explorations/{id}',
    summary: 'One exploration, with what else there is of it',
    params: idPath,
    answer: exploration,
    mayLack: true,
    large: true
  },
  getExplorationWorkspace: {
    route: 'GET /explorations/{id}/workspace',
    summary: 'The workspace that an exploration belongs to; asked before the gateway shows anything of it',
    params: idPath,
    answer: explorationWorkspace,
    mayLack: true
  },
  searchExplorations: {
    route: 'POST /explorations/search',
    summary: 'Those that fit a question, best first, page by page',
    body: search,
    answer: searchResults,
    large: true
  },
  listPackages: {
    route: 'GET /explorations/{id}/packages',
    summary: 'The types of an exploration’s requirement packages',
    params: idPath,
    answer: artifactTypes,
    mayLack: true
  },
  getPackage: {
    route: 'GET /explorations/{id}/packages/{type}',
    summary: 'One requirement package',
    params: packagePath,
    answer: requirementPackage,
    mayLack: true,
    large: true
  },
  getPlan: {
    route: 'GET /explorations/{id}/plan',
    summary: 'The execution plan of an exploration, in order',
    params: idPath,
    answer: executionPlan,
    mayLack: true,
    large: true
  },
  getPlanState: {
    route: 'GET /explorations/{id}/plan/state',
    summary: 'The same, counted',
    params: idPath,
    answer: planState,
    mayLack: true
  },
  listRecommendations: {
    route: 'GET /explorations/{id}/recommendations',
    summary: 'The approved strategies and recommendations of an exploration',
    params: idPath,
    query: recommendationsQuery,
    answer: recommendations,
    mayLack: true,
    large: true
  },
  completeWorkspaces: {
    route: 'POST /workspaces/complete',
    summary: 'Workspaces that begin like that',
    body: completionQuery,
    answer: workspaceCompletions,
    without: WITHOUT
  },
  completeExplorations: {
    route: 'POST /explorations/complete',
    summary: 'Explorations that begin like that',
    body: completionQuery,
    answer: explorationCompletions,
    without: WITHOUT
  },
  completePackages: {
    route: 'POST /packages/complete',
    summary: 'Types of requirement packages that begin like that',
    body: packageCompletionQuery,
    answer: artifactTypes,
    without: WITHOUT
  }
})
