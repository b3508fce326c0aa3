/** The ports of the web application's pages on a database. */
import type { Database } from '../sql/database.js'
import { sqlAuditLabels, type ReadAuditLabels } from '../audit/sql-audit-labels.js'
import { sqlCredentialList, type CredentialList } from '../credentials/sql-credential-list.js'
import { sqlDatabaseStatus, type DatabaseStatus } from '../sql/sql-database-status.js'
import { sqlExplorationCatalog, type ExplorationCatalog } from './sql-exploration-catalog.js'
import { sqlPeople, type People } from '../people/sql-people.js'
import { sqlUsage, type Usage } from '../audit/sql-usage.js'
import { sqlChangePlaces, type ChangePlaces } from './sql-change-places.js'
import { sqlExplorationWork, type ExplorationWork } from './changes/sql-exploration-work.js'
import { sqlInbox, type Inbox } from './changes/sql-inbox.js'
import { sqlWorkspaceDirectory, type WorkspaceDirectory } from './sql-workspace-directory.js'

export interface WebApiStore {
  catalog: ExplorationCatalog
  workspaces: WorkspaceDirectory
  people: People
  places: ChangePlaces
  inbox: Inbox
  work: ExplorationWork
  credentials: CredentialList
  usage: Usage
  auditLabels: ReadAuditLabels
  status (): Promise<DatabaseStatus>
  /** Whether the database runs in this process. */
  embedded: boolean
}

export interface WebApiStoreOptions {
  embedded: boolean
  /** The key of the advisory lock that each replica holds. */
  replicaLock: number
}

/** Returns the ports that only the pages of the web application use. */
export const sqlWebApi = (db: Database, { embedded, replicaLock }: WebApiStoreOptions): WebApiStore => ({
  catalog: sqlExplorationCatalog(db),
  workspaces: sqlWorkspaceDirectory(db),
  people: sqlPeople(db),
  places: sqlChangePlaces(db),
  inbox: sqlInbox(db),
  work: sqlExplorationWork(db),
  credentials: sqlCredentialList(db),
  usage: sqlUsage(db),
  auditLabels: sqlAuditLabels(db),
  status: sqlDatabaseStatus(db, replicaLock),
  embedded
})
