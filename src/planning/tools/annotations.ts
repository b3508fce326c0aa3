/** The hints that all tools share: each reads, may be repeated, and reaches nothing outside this server. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
