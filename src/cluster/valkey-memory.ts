/** Warns when Valkey may evict keys: an evicted rate-limit count lets refused callers through. */
import type { Valkey } from './valkey.js'

/**
 * Asks for the settings by INFO, which managed services allow where they forbid CONFIG.
 * @returns what an operator should change; undefined when nothing is evicted, or when Valkey does not say
 */
export const evictionWarning = async (valkey: Pick<Valkey, 'ask'>): Promise<string | undefined> => {
  const info = await valkey.ask((commands) => commands.info('memory')).catch(() => '')
  const field = (name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1]
  const [limit, policy] = [field('maxmemory'), field('maxmemory_policy')]
  if (policy === undefined || policy === 'noeviction' || limit === '0') return undefined
  return `Valkey evicts keys when its memory is full (maxmemory-policy ${policy}): counts of limits would be lost, ` +
    'and callers who used up theirs get through. Set maxmemory-policy noeviction, or give this service a Valkey of ' +
    'its own.'
}
