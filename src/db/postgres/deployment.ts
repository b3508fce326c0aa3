/** The tag that tells the credentials of this deployment from those of others. */
import type { Queryable } from '../sql/database.js'

/** Gives a database its tag where it has none: prepared databases are copied to many deployments, so they have none. */
export const ensureDeploymentTag = async (db: Queryable): Promise<void> => {
  await db.query('insert into deployment default values on conflict do nothing')
}
