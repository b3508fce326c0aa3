/** Where a proposal or a change is: what decides who may see and decide it. */
import { isUuid } from '../../lib/uuid.js'
import type { Queryable } from '../sql/database.js'

export interface ChangePlace { workspace_id: string, exploration_id: string }

export interface ChangePlaces {
  /** Undefined when there is no such proposal. */
  ofProposal (id: string): Promise<ChangePlace | undefined>
  /** Undefined when there is no such row of a history. */
  ofHistory (id: string): Promise<ChangePlace | undefined>
}

const placeIn = (table: 'proposals' | 'history'): string => `
  select e.workspace_id, e.id as exploration_id from ${table} t join explorations e on e.id = t.exploration_id
  where t.id = $1`

/** Returns the port. */
export const sqlChangePlaces = (db: Queryable): ChangePlaces => ({
  async ofProposal (id) {
    if (!isUuid(id)) return undefined
    return (await db.query<ChangePlace>(placeIn('proposals'), [id]))[0]
  },

  async ofHistory (id) {
    if (!/^\d{1,18}$/.test(id)) return undefined
    return (await db.query<ChangePlace>(placeIn('history'), [id]))[0]
  }
})
