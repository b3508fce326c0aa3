/** The hints of all tools: they only read, may be repeated, and reach nothing outside this server. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
