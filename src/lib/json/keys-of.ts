/**
 * Returns the keys of a table with their type. For tables that are written out in the code: an object of unknown origin
 * may have more keys than its type.
 */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[]
