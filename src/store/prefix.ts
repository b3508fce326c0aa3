import { storable } from './storable.js'

/** A `like` pattern for lower-cased text that starts with the prefix as it stands. */
export const prefixPattern = (prefix: string): string => `${storable(prefix).toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
