/** A `like` pattern for lower-cased text that starts with the prefix as it stands. */
export const prefixPattern = (prefix: string): string => `${prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
