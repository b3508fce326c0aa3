/** The revisions of the specification that this server supports, and the revision that introduced each feature. */

/** The revisions with a handshake, the oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
/** The revisions in which each request stands alone, the oldest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const

/** A revision with a handshake. */
export type LegacyRevision = typeof LEGACY_REVISIONS[number]
/** A revision in which each request stands alone. */
export type ModernRevision = typeof MODERN_REVISIONS[number]
/** A revision of the specification that the engine serves. */
export type Revision = LegacyRevision | ModernRevision

/** All revisions that the engine serves, the oldest first. */
export const REVISIONS: readonly Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS]

export const LATEST_LEGACY: LegacyRevision = '2025-11-25'

const FEATURE_SINCE = {
  toolAnnotations: '2025-03-26',
  audioContent: '2025-03-26',
  completionsCapability: '2025-03-26',
  progressMessage: '2025-03-26',
  resumableStreams: '2025-03-26',
  titles: '2025-06-18',
  structuredOutput: '2025-06-18',
  resourceLinks: '2025-06-18',
  metaOfContents: '2025-06-18',
  lastModified: '2025-06-18',
  versionHeader: '2025-06-18',
  serverDescription: '2025-11-25',
  icons: '2025-11-25',
  primedStreams: '2025-11-25',
  anyStructuredOutput: '2026-07-28',
  tasksExtension: '2026-07-28',
  skillsExtension: '2026-07-28',
  stateless: '2026-07-28'
} as const satisfies Record<string, Revision>

export type Feature = keyof typeof FEATURE_SINCE

/** Whether a revision has a feature. Revisions are dates, so they compare as text. */
export const supports = (revision: string, feature: Feature): boolean => revision >= FEATURE_SINCE[feature]

/** Whether a revision has JSON-RPC batches. They came with 2025-03-26 and were removed in the next one. */
export const hasBatches = (revision: Revision): boolean => revision === '2025-03-26'

export const isLegacyRevision = (version: unknown): version is LegacyRevision =>
  LEGACY_REVISIONS.some((revision) => revision === version)

export const isModernRevision = (version: unknown): version is ModernRevision =>
  MODERN_REVISIONS.some((revision) => revision === version)
