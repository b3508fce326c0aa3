/** Invitations on a database. */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type administration from '#schemas/operations/administration.json'
import type { WebMembership } from '../../access/sign-in/web-sessions.js'
import { digestOf, isSecret, mintSecret } from '../../access/credentials/prefixed-secret.js'
import { idsOfWorkspaces, rolesFrom } from '../planning/seen-workspaces.js'
import { errorCode } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { isUuid } from '../../lib/uuid.js'
import { decodeCursor, encodeCursor, isId, pageOf } from '../sql/cursor.js'
import type { Database } from '../sql/database.js'
import { first } from '../sql/rows.js'

const LIFETIME_DAYS = 7
const FOREIGN_KEY_VIOLATION = '23503'

// Anyone who lost the right to invite has no one invited any more.
const OPEN = `i.accepted_at is null and i.revoked_at is null and i.expires_at > now() and exists (
  select from users b where b.id = i.invited_by and b.server_admin and b.deactivated_at is null)`

const SUMMARY = `
  i.id, i.email, i.server_admin, rfc3339(i.created_at) as created_at, rfc3339(i.expires_at) as expires_at,
  (select jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name)
    from users u where u.id = i.invited_by) as invited_by,
  ${rolesFrom('invitation_memberships m join workspaces w on w.id = m.workspace_id where m.invitation_id = i.id')}
    as memberships,
  case when i.accepted_at is not null then 'accepted' when ${OPEN} then 'open'
    when i.revoked_at is null and i.expires_at <= now() then 'expired' else 'revoked' end as state`

const CREATE = `
  with earlier as (
    update invitations set revoked_at = now()
    where lower(email) = lower($3) and accepted_at is null and revoked_at is null
  ), created as (
    insert into invitations (id, hash, email, server_admin, invited_by, expires_at)
    values ($1::uuid, $2::bytea, $3, $4, $5::uuid, now() + interval '${LIFETIME_DAYS} days') returning id
  )
  insert into invitation_memberships (invitation_id, workspace_id, role)
  select c.id, m.workspace_id, m.role from created c cross join unnest($6::uuid[], $7::text[]) m (workspace_id, role)`

const ACCEPT = `
  with invitation as (
    update invitations i set accepted_at = now(), accepted_by = $2::uuid
    where i.hash = $1 and ${OPEN} and not exists (select from users u where lower(u.email) = lower(i.email))
    returning i.id, i.email, i.server_admin
  ), person as (
    insert into users (id, email, name, kind, server_admin)
    select $2::uuid, i.email, $3, 'person', i.server_admin from invitation i
    on conflict (lower(email)) do nothing returning id
  ), members as (
    insert into memberships (user_id, workspace_id, role)
    select p.id, m.workspace_id, m.role
    from person p cross join invitation i join invitation_memberships m on m.invitation_id = i.id
  )
  select id from person`

type Invitation = FromSchema<typeof administration.invitation>

/** `memberships` name workspaces by id or slug; `invitedBy` is the id of the server administrator who invites. */
interface NewInvitation {
  email: string
  serverAdmin: boolean
  memberships: ReadonlyArray<{ workspace: string, role: WebMembership['role'] }>
  invitedBy: string
}

export type Invitations = ReturnType<typeof sqlInvitations>

/** Invitations: a link makes one person an account, once, within seven days. Only hashes of tokens are stored. */
export const sqlInvitations = (db: Pick<Database, 'query'>) => {
  const get = (condition: string, value: unknown): Promise<Invitation | undefined> =>
    first(db.query<Invitation>(`select ${SUMMARY} from invitations i where ${condition}`, [value]))

  const find = async (token: string): Promise<Invitation | undefined> =>
    isSecret('invite', token) ? await get(`i.hash = $1 and ${OPEN}`, digestOf(token)) : undefined

  return {
    /** The open invitation of a token. One whose inviter is no active server administrator any more is not open. */
    find,

    /** Revokes another open one for the address. @throws {Refusal} for a known address or no such workspace */
    async create ({ email, serverAdmin, memberships, invitedBy }: NewInvitation) {
      const [known] = await db.query<{ deactivated: boolean }>(
        'select deactivated_at is not null as deactivated from users where lower(email) = lower($1)', [email])
      if (known) {
        throw new Refusal(known.deactivated
          ? 'Someone has this address already, and was deactivated: activate them instead of an invitation.'
          : 'Someone has this address already: give them a role instead of an invitation.', 'conflict')
      }
      const workspaces = await idsOfWorkspaces(db, memberships.map(({ workspace }) => workspace))
      if (new Set(workspaces).size < workspaces.length) throw new Refusal('Name each workspace once.')
      const id = randomUUID()
      const token = mintSecret('invite')
      const roles = memberships.map(({ role }) => role)
      await db.query(CREATE, [id, digestOf(token), email, serverAdmin, invitedBy, workspaces, roles])
      const invitation = await get('i.id = $1', id)
      if (!invitation) throw new Error('the invitation is gone')
      return { invitation, token }
    },

    /** Newest first. */
    async list ({ limit, cursor }: { limit: number, cursor?: string | undefined }) {
      const after = decodeCursor('invitations', cursor, isId)
      const rows = await db.query<Invitation>(
        `select ${SUMMARY} from invitations i
         where $1::uuid is null
           or (i.created_at, i.id) < (select o.created_at, o.id from invitations o where o.id = $1::uuid)
         order by i.created_at desc, i.id desc limit $2`,
        [after?.[0] ?? null, limit + 1])
      return pageOf(rows, limit, ({ id }) => encodeCursor('invitations', [id]))
    },

    /** @throws {Refusal} when there is no open one */
    async revoke (id: string): Promise<Invitation> {
      const [revoked] = isUuid(id)
        ? await db.query<{ id: string }>(`update invitations i set revoked_at = now() where i.id = $1 and ${OPEN} ` +
          'returning i.id', [id])
        : []
      const invitation = revoked && await get('i.id = $1', revoked.id)
      if (!invitation) throw new Refusal('There is no open invitation with this id.', 'not_found')
      return { ...invitation, state: 'revoked' }
    },

    /**
     * Uses the token up and creates the person with their memberships. Resolves with the user's id; undefined when the
     * token is unknown, used, revoked or expired.
     * @throws {Refusal} when someone has this address by now
     */
    async accept (token: string, name: string) {
      if (!isSecret('invite', token)) return undefined
      try {
        const [person] = await db.query<{ id: string }>(ACCEPT, [digestOf(token), randomUUID(), name])
        if (person) return person.id
      } catch (error) {
        // Two people with this address at the same time: nothing of this one was written.
        if (errorCode(error) !== FOREIGN_KEY_VIOLATION) throw error
      }
      if (await find(token)) {
        throw new Refusal('Someone has this address already: sign in instead of accepting.', 'conflict')
      }
      return undefined
    }
  }
}
