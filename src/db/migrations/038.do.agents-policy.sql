-- What agents may do in a workspace beyond reading. An admin of the workspace decides it.
alter table workspaces add column agents text not null default 'read' check (agents in ('read', 'propose', 'report'));
