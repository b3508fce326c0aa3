/** Items of a plan with what only those who may write see: revision, claim, evidence, what waits, the last notes. */

/** SQL: pairs of a `jsonb_build_object` for an item `t`. */
export const WRITERS_FIELDS = `
  'revision', t.revision, 'evidence', t.evidence, 'finished', t.finished,
  'claimed_by', (select jsonb_build_object('user', l."user", 'credential', l.credential, 'since', rfc3339(l.since),
      'until', rfc3339(l.until))
    from leases l where l.exploration_id = t.exploration_id and l.item_id = t.id and not l.lapsed and l.until > now()),
  'lease_expires_at', (select rfc3339(l.until)
    from leases l where l.exploration_id = t.exploration_id and l.item_id = t.id and not l.lapsed and l.until > now()),
  'notes', (select jsonb_agg(jsonb_build_object('id', n.id, 'text', left(n.text, 300), 'by', n.written_by ->> 'user',
      'at', rfc3339(n.created_at)))
    from (select * from notes n where n.exploration_id = t.exploration_id and n.item_id = t.id and not n.hidden
      order by n.created_at desc limit 3) n)`

/** SQL: pairs of a `jsonb_build_object` for an item `t` that everyone sees. */
export const ITEM_FIELDS = `
  'id', t.id, 'group_id', t.group_id, 'title', t.title, 'description', t.description, 'status', t.status,
  'order', t."order", 'acceptance', t.acceptance, 'repository', t.repository, 'source', t.source`
