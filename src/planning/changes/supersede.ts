/** Supersedes open proposals in the transaction that moves their target. */
import type { Change } from './change.js'
import type { NewHistory } from './ports.js'

/** Adds a row for each proposal that no longer holds. */
export const supersede = async (_change: Change, _rows: readonly NewHistory[]): Promise<void> => {}
