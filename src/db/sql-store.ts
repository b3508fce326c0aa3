/** Composes the store on a database. */
import type { Database } from './database.js'
import { explorations } from './sql-explorations.js'
import { packages } from './sql-packages.js'
import { plans } from './sql-plans.js'
import { recommendations } from './sql-recommendations.js'
import type { Search, Store } from '../planning/store.js'
import { workspaces } from './sql-workspaces.js'

/** The planning data on `db`, with this search. */
export const sqlStore = (db: Database, search: Search): Store => ({
  workspaces: workspaces(db),
  explorations: explorations(db),
  packages: packages(db),
  plans: plans(db),
  recommendations: recommendations(db),
  search
})
