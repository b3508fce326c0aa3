/** Who becomes an admin of the workspaces that an import made, so that what was imported is seen. */
import type { Queryable } from '../../db/sql/database.js'

// A role that the file itself gives stays.
const MAKE_ADMIN = `
  with admins as materialized (
    select id, email from users where id = $1 and deactivated_at is null
    union all
    select id, email from users where $1::uuid is null and server_admin and deactivated_at is null
  ), chosen as materialized (select id, email from admins where (select count(*) from admins) = 1),
  added as (
    insert into memberships (user_id, workspace_id, role)
    select c.id, w.id, 'admin' from chosen c cross join unnest($2::uuid[]) as w (id)
    on conflict (user_id, workspace_id) do nothing
  )
  select email from chosen`

/** For an import that no person stands behind, as one of the command line: the server administrator, if only one. */
export const ONLY_ADMINISTRATOR = Symbol('the only server administrator')

/** Returns the e-mail address of the admin; undefined when there are several administrators, or none. */
export const addFirstAdmin = async (
  tx: Queryable, admin: string | typeof ONLY_ADMINISTRATOR, workspaces: readonly string[]
): Promise<string | undefined> => {
  const [member] = await tx.query<{ email: string }>(
    MAKE_ADMIN, [admin === ONLY_ADMINISTRATOR ? null : admin, workspaces])
  return member?.email
}
