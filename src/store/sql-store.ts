/** The store on a database. */
import type { Database } from './database.js'
import { explorations } from './explorations.js'
import { packages } from './packages.js'
import { plans } from './plans.js'
import { recommendations } from './recommendations.js'
import { lexicalSearch } from './search.js'
import type { Store } from './store.js'
import { workspaces } from './workspaces.js'

export const sqlStore = (db: Database): Store => ({
  workspaces: workspaces(db),
  explorations: explorations(db),
  packages: packages(db),
  plans: plans(db),
  recommendations: recommendations(db),
  search: lexicalSearch(db)
})
