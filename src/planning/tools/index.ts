/** The tools, in the order in which they are listed. */
import { findExplorations } from './find-explorations.js'
import { getChanges } from './get-changes.js'
import { getExploration } from './get-exploration.js'
import { getPlanningFull } from './get-planning-full.js'
import { getPlanningState } from './get-planning-state.js'
import { getRecommendations } from './get-recommendations.js'
import { getRequirementPackage } from './get-requirement-package.js'
import { listWorkspaces } from './list-workspaces.js'
import { ping } from './ping.js'
import type { PlanningTool } from './planning-tool.js'
import { addNoteTool, askQuestionTool, claimItem, proposeChangeTool, reportProgress } from './writing-tools.js'

export const tools: ReadonlyArray<PlanningTool> = [
  ping,
  listWorkspaces,
  findExplorations,
  getExploration,
  getRequirementPackage,
  getPlanningState,
  getPlanningFull,
  getRecommendations,
  claimItem,
  reportProgress,
  addNoteTool,
  askQuestionTool,
  proposeChangeTool,
  getChanges
]
