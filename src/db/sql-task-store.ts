/** Tasks in the database. The process that works on a task holds a lease; a task whose lease ran out has failed. */
import type { JsonObject } from '../lib/json-object.js'
import type { Queryable } from './database.js'
import type { TaskRecord, TaskStore } from '../mcp/tasks/task-store.js'

const RECORD = `
  id, status, status_message as message, rfc3339(created_at) as "createdAt", rfc3339(updated_at) as "updatedAt",
  ttl_ms::float8 as "ttlMs", poll_interval_ms as "pollIntervalMs", input_requests as "inputRequests", result, error`

const RUNNING = "status in ('working', 'input_required')"

// The process of this task is gone: the first reader records the failure.
const FAIL_ABANDONED = `
  update tasks set status = 'failed', updated_at = now(), status_message = 'The server that worked on it has gone.',
    error = '{"code": -32603, "message": "The server that worked on this task has gone. Send the request again."}'
  where id = $1 and ${RUNNING} and leased_until < now()`

/** The task store on `db`. Expired tasks are deleted when another one is created. */
export const sqlTaskStore = (db: Queryable): TaskStore => ({
  async create ({ id, owner, ttlMs, pollIntervalMs, leaseMs }, maxRunning) {
    await db.query('delete from tasks where expires_at <= now()')
    const [created] = await db.query<TaskRecord>(
      `insert into tasks (id, credential_id, ttl_ms, expires_at, poll_interval_ms, leased_until)
       select $1, $2::uuid, $3::bigint, now() + $3::bigint * interval '1 millisecond', $4,
         now() + $5::int * interval '1 millisecond'
       where (select count(*) from tasks where credential_id = $2::uuid and ${RUNNING} and expires_at > now()) < $6
       returning ${RECORD}`,
      [id, owner, ttlMs, pollIntervalMs, leaseMs, maxRunning])
    return created
  },

  async get (id, owner) {
    await db.query(FAIL_ABANDONED, [id])
    const [found] = await db.query<TaskRecord>(
      `select ${RECORD} from tasks where id = $1 and credential_id::text = $2 and expires_at > now()`, [id, owner])
    return found
  },

  async answer (id, owner, responses) {
    const rows = await db.query(
      `update tasks t set
         input_responses = t.input_responses || taken.responses,
         input_requests = t.input_requests - taken.keys,
         status = case when t.status = 'input_required' and t.input_requests - taken.keys = '{}'
           then 'working' else t.status end,
         updated_at = case when taken.keys = '{}' then t.updated_at else now() end
       from tasks of cross join lateral (
         select coalesce(jsonb_object_agg(key, value), '{}') as responses, coalesce(array_agg(key), '{}') as keys
         from jsonb_each($3::jsonb) where of.input_requests ? key and of.status = 'input_required') taken
       where t.id = $1 and of.id = t.id and t.credential_id::text = $2 and t.expires_at > now()
       returning t.id`,
      [id, owner, JSON.stringify(responses)])
    return rows.length > 0
  },

  async cancel (id, owner) {
    const rows = await db.query(
      `update tasks set cancel_requested = true
       where id = $1 and credential_id::text = $2 and expires_at > now() returning id`, [id, owner])
    return rows.length > 0
  },

  async renewLease (id, leaseMs) {
    const [row] = await db.query<{ responses: JsonObject, cancelled: boolean }>(
      `update tasks set leased_until = now() + $2::int * interval '1 millisecond'
       where id = $1 and ${RUNNING} and expires_at > now()
       returning input_responses as responses, cancel_requested as cancelled`,
      [id, leaseMs])
    return row
  },

  async note (id, message) {
    await db.query(
      `update tasks set status_message = $2, updated_at = now() where id = $1 and ${RUNNING}`, [id, message])
  },

  async ask (id, requests) {
    await db.query(
      `update tasks set status = 'input_required', input_requests = $2::jsonb, updated_at = now()
       where id = $1 and ${RUNNING}`,
      [id, JSON.stringify(requests)])
  },

  async end (id, end) {
    await db.query(
      `update tasks set status = $2, updated_at = now(), input_requests = '{}', result = $3::jsonb, error = $4::jsonb,
         status_message = coalesce($5, case when $2 = 'completed' then null else status_message end)
       where id = $1 and ${RUNNING}`,
      [
        id,
        end.status,
        'result' in end ? JSON.stringify(end.result) : null,
        'error' in end ? JSON.stringify(end.error) : null,
        'message' in end ? end.message : null
      ])
  }
})
