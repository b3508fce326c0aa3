/** The store on a database. */
import type { Database } from './database.js'
import { explorations } from './explorations.js'
import { packages } from './packages.js'
import { plans } from './plans.js'
import { recommendations } from './recommendations.js'
import type { Search, Store } from './store.js'
import { workspaces } from './workspaces.js'

export const sqlStore = (db: Database, search: Search): Store => ({
  workspaces: workspaces(db),
  explorations: explorations(db),
  packages: packages(db),
  plans: plans(db),
  recommendations: recommendations(db),
  search
})
