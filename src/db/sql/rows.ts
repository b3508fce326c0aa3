/** Rows of the database as callers want them. */

export const omitNulls = <R extends object>(row: R): R =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as R

export const requireRow = <R>([row]: readonly R[]): R => {
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

export const first = async <R>(rows: Promise<readonly R[]>): Promise<R | undefined> => (await rows)[0]
