/**
 * Bounds the device codes that wait for approval, by the network that requested them. A full network loses its own
 * oldest code that no one polls. When all networks together are full, the one with the most codes loses one. So no one
 * can block the grant for others.
 */
import type { Queryable } from '../sql/database.js'

export interface GrantShares {
  /** Per IPv4 address, or IPv6 /64. */
  maxPerHost: number
  /** Per IPv4 /24, or IPv6 /48. */
  maxPerSite: number
  maxWaiting: number
}

const DEFAULTS: GrantShares = { maxPerHost: 50, maxPerSite: 100, maxWaiting: 1000 }

/** A text that is no address, such as one that a gateway reports, counts as a network of its own. */
const network = (address: string, ipv4: number, ipv6: number): string => `
  case when pg_input_is_valid(${address}, 'inet')
    then network(set_masklen(
      ${address}::inet, case family(${address}::inet) when 4 then ${ipv4} else ${ipv6} end))::text
    else ${address} end`

// Approved and denied codes wait for no one, and are never dropped.
const WAITING = `
  with waiting as materialized (
    select id, polled_at, created_at,
      ${network('remote_address', 32, 64)} as host, ${network('remote_address', 24, 48)} as site
    from device_grants where decision is null and expires_at > now()),
  asking as (select ${network('$1::text', 32, 64)} as host, ${network('$1::text', 24, 48)} as site)`

const COUNTS = `${WAITING}
  select count(*) filter (where w.host = a.host)::int as of_host,
    count(*) filter (where w.site = a.site)::int as of_site, count(*)::int as all
  from waiting w cross join asking a`

const GIVE_UP = (which: string): string => `${WAITING}
  delete from device_grants where id = (${which}) returning id`

const UNPOLLED_OF = (level: 'host' | 'site'): string => GIVE_UP(`
  select w.id from waiting w join asking a on w.${level} = a.${level}
  where w.polled_at is null order by w.created_at, w.id limit 1`)

const OF_THE_LARGEST_SITE = GIVE_UP(`
  select id from waiting w cross join asking a
  order by count(*) over (partition by w.site) desc, polled_at is not null, created_at, id limit 1`)

/** False when the network of the address has as many codes as it may, and all of them are polled. */
export const makeRoomForGrant = async (
  db: Queryable, address: string, shares: Partial<GrantShares>
): Promise<boolean> => {
  const { maxPerHost, maxPerSite, maxWaiting } = { ...DEFAULTS, ...shares }
  const [counts] = await db.query<{ of_host: number, of_site: number, all: number }>(COUNTS, [address])
  if (!counts) return true
  const full = counts.of_host >= maxPerHost ? 'host' : counts.of_site >= maxPerSite ? 'site' : undefined
  if (full !== undefined) return (await db.query(UNPOLLED_OF(full), [address])).length > 0
  if (counts.all >= maxWaiting) await db.query(OF_THE_LARGEST_SITE, [address])
  return true
}
