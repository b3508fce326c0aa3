/** What lists have in common: one page, and entries without what the caller's revision does not have. */
import { Fault } from '../../lib/errors.js'
import { supports } from '../revisions.js'

/** @throws {Fault} `invalid_params` for a cursor: all entries are on one page */
export const requireOnePage = (cursor: unknown, of: string): void => {
  if (cursor === undefined) return
  throw new Fault('invalid_params', `The list of ${of} has one page: leave the cursor out.`)
}

/** Leaves out of a prompt or resource what the caller's revision does not have. */
export const shaped = <Entry extends { icons?: unknown, title?: unknown, annotations?: unknown }>(
  entry: Entry, revision: string
): Partial<Entry> => {
  if (supports(revision, 'icons')) return entry
  const { icons, ...known } = entry
  if (supports(revision, 'titles')) return known as Partial<Entry>
  const { title, annotations, ...rest } = known
  return rest as Partial<Entry>
}
