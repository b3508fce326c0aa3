-- What has triggers, foreign keys and functions behind it, on rows of many.sql.
insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
  select gen_random_uuid(), workspace_id, title, status, tags, summaries, questions, created_at, updated_at from explorations where id = :exploration;
update explorations set title = 'x', tags = '["tag1"]', questions = '[{"id": "q", "question": "Why?", "status": "open"}]', workspace_id = :next where id = :exploration;
insert into requirement_packages (exploration_id, artifact_type, markdown, version, updated_at) values (:exploration, 'new', 'x', 1, now());
update requirement_packages set markdown = 'y', version = 2 where exploration_id = :exploration;
delete from requirement_packages where exploration_id = :exploration and artifact_type = 'new';
update execution_plans set version = 2 where exploration_id = :exploration;
update recommendations set status = 'approved' where exploration_id = :exploration;
insert into recommendations select gen_random_uuid(), exploration_id, kind, title, body, status from recommendations where exploration_id = :exploration;
insert into proposals (exploration_id, id, state, changes, base, proposed_by) values (:exploration, gen_random_uuid(), 'open', '[]', '[]', '{}');
insert into history (exploration_id, workspace_id, kind, target, after, events)
  select id, workspace_id, 'exploration', id::text, '{"title": "x"}', '[]' from explorations where id = :exploration;
update workspaces set agents = 'read', archived_at = now(), name = 'x' where id = :workspace;
insert into workspaces (id, slug, name, created_at) values ('00000000-0000-4000-8000-000000000000', 'none', 'None', now());
delete from workspaces where slug = 'none';
update memberships set role = 'viewer' where user_id = :user;
delete from memberships where user_id = :user;
insert into memberships values (:user, :workspace, 'editor');
update credentials set scope = 'read_write', revoked_at = now(), last_used_at = now() where user_id = :user;
delete from credentials where user_id = :user;
update users set deactivated_at = now() where id = :user;
delete from users where id = :user;
update search_queue set words = false, meaning = false where exploration_id = :exploration;
delete from explorations where id = :exploration;
insert into audit_events (action, outcome, duration_ms, request_id, remote_address, event_id) values ('x', 'ok', 1, '-', '-', gen_random_uuid());
select publish_questions(array[:other]::uuid[], now()), queue_for_search(array[:other]::uuid[]), tidy_search_words();
select purge_audit_events(100, 5000), purge_audit_events(80, 5000), create_audit_partitions();
set constraints all immediate;
