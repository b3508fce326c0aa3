/** The records of schemas/records as types, without the `type` tag that only the import format carries. */
import type { FromSchema } from 'json-schema-to-ts'
import type workspace from '#schemas/records/workspace.json'
import type user from '#schemas/records/user.json'
import type membership from '#schemas/records/membership.json'
import type exploration from '#schemas/records/exploration.json'
import type requirementPackage from '#schemas/records/requirement_package.json'
import type executionPlan from '#schemas/records/execution_plan.json'
import type recommendation from '#schemas/records/recommendation.json'

type Untagged<T> = T extends { type: unknown } ? Omit<T, 'type'> : never

export type WorkspaceLine = FromSchema<typeof workspace>
export type UserLine = FromSchema<typeof user>
export type MembershipLine = FromSchema<typeof membership>
export type ExplorationLine = FromSchema<typeof exploration>
export type RequirementPackageLine = FromSchema<typeof requirementPackage>
export type ExecutionPlanLine = FromSchema<typeof executionPlan>
export type RecommendationLine = FromSchema<typeof recommendation>

export type Line =
  | WorkspaceLine | UserLine | MembershipLine | ExplorationLine | RequirementPackageLine | ExecutionPlanLine
  | RecommendationLine

export type Workspace = Untagged<WorkspaceLine>
export type User = Untagged<UserLine>
export type Membership = Untagged<MembershipLine>
export type Exploration = Untagged<ExplorationLine>
export type RequirementPackage = Untagged<RequirementPackageLine>
export type ExecutionPlan = Untagged<ExecutionPlanLine>
export type Recommendation = Untagged<RecommendationLine>
export type ExplorationStatus = Exploration['status']
export type PlanItem = ExecutionPlan['items'][number]
export type ItemStatus = PlanItem['status']
export type Evidence = NonNullable<PlanItem['evidence']>[number]
/** What has to be true when an item is done. */
export type Criterion = NonNullable<PlanItem['acceptance']>[number]

const ARTIFACT_TYPE = /^[a-z][a-z0-9_-]{0,63}$/

/** Whether a text can be a package type. Other texts name nothing, so they need no database query. */
export const isArtifactType = (text: string): boolean => ARTIFACT_TYPE.test(text)
