/** Converts a row to a record: fields that are null are left out. */
export const omitNulls = <R extends object>(row: R): R =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as R
