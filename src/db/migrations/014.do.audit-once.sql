-- An event that a front sends again is kept once.
alter table audit_events add column event_id uuid;
create unique index audit_events_event on audit_events (event_id) where event_id is not null;
