/** Partitions of the audit log for months that are over, as a server that has been running for long has them. */
import type { Database } from '../../src/db/sql/database.js'

/** Gives the log, which must be empty, a partition for each of the last `count` months. Only the owner of the schema can. */
export const pastMonths = (owner: Database, count: number): Promise<void> => owner.script(`
  alter table audit_events detach partition audit_events_before_months;
  do $$
  declare
    month timestamp := date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${count});
  begin
    execute format('alter table audit_events attach partition audit_events_before_months for values from (minvalue) to (%L)',
      month at time zone 'UTC');
    for n in 0..${count} loop
      perform create_audit_partition(month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
      month := month + interval '1 month';
    end loop;
  end $$`)

/** Name and bounds of each partition, oldest first; in UTC, as text. */
export const partitionsOf = (owner: Database): Promise<Array<{ name: string, starts: string, ends: string }>> => owner.query(`
  select name, (starts_at at time zone 'UTC')::text as starts, (ends_at at time zone 'UTC')::text as ends from audit_partitions order by starts_at`)
