-- Where explorations and decisions that an importer made come from, so that an import again finds them: by the path or the key that their source has
-- for them, which a rename changes. `digest` is that of the records as they were last written; null while a write is under way.
create table import_origins (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  source text not null check (length(source) between 1 and 1000),
  kind text not null check (kind in ('exploration', 'recommendation')),
  format text not null check (length(format) between 1 and 64),
  path text not null check (length(path) between 1 and 10000),
  id uuid not null,
  digest text,
  primary key (workspace_id, source, kind, format, path)
);
create index import_origins_id on import_origins (id);
