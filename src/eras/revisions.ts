/** The revisions of the specification that this server speaks. */

export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
export const MODERN_REVISIONS = ['2026-07-28'] as const

export type LegacyRevision = typeof LEGACY_REVISIONS[number]
export type ModernRevision = typeof MODERN_REVISIONS[number]
export type Revision = LegacyRevision | ModernRevision
