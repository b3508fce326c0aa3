/** Why there was no reply, in a word. */
export const errorCode = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown error'
