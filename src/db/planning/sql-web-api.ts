/** The ports of the web application's pages on a database. */
import type { Database } from '../sql/database.js'
import { sqlCredentialList } from '../credentials/sql-credential-list.js'
import { sqlDatabaseStatus } from '../sql/sql-database-status.js'
import { sqlExplorationCatalog } from './sql-exploration-catalog.js'
import { sqlPeople } from '../people/sql-people.js'
import { sqlUsage } from '../audit/sql-usage.js'
import { sqlExplorationWork } from './changes/sql-exploration-work.js'
import { sqlInbox } from './changes/sql-inbox.js'
import { sqlWorkspaceDirectory } from './sql-workspace-directory.js'

export type WebApiStore = ReturnType<typeof sqlWebApi>

export const sqlWebApi = (db: Database, { embedded, replicaLock }: { embedded: boolean, replicaLock: number }) => ({
  catalog: sqlExplorationCatalog(db),
  workspaces: sqlWorkspaceDirectory(db),
  people: sqlPeople(db),
  inbox: sqlInbox(db),
  work: sqlExplorationWork(db),
  credentials: sqlCredentialList(db),
  usage: sqlUsage(db),
  status: sqlDatabaseStatus(db, replicaLock),
  embedded
})
