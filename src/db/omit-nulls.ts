/** A row as a record: an optional field that has no value is left out. */
export const omitNulls = <R extends object>(row: R): R =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as R
