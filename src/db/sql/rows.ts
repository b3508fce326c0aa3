/** Rows of the database as callers want them. */

/** Converts a row to a record: fields that are null are left out. */
export const omitNulls = <R extends object>(row: R): R =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as R

/** The first row of a statement that always returns one. */
export const requireRow = <R>([row]: readonly R[]): R => {
  if (row === undefined) throw new Error('the database returned no row')
  return row
}
