-- The lists of the web application: explorations by status and by tag, and credentials that are limited to workspaces.
create index explorations_status on explorations (workspace_id, status, updated_at desc, id);
create index explorations_tags on explorations using gin (tags jsonb_path_ops);
create index credentials_workspaces on credentials using gin (workspace_ids) where workspace_ids is not null;
