/**
 * The first row of a statement that always returns one.
 * @throws {Error} when there is none
 */
export const requireRow = <R>([row]: readonly R[]): R => {
  if (row === undefined) throw new Error('the database returned no row')
  return row
}
