/** Warns when Valkey may evict keys: an evicted rate-limit count lets refused callers through. */
import type { Valkey } from './valkey.js'

/**
 * Asks for the settings by INFO, which managed services allow where they forbid CONFIG.
 * @returns what an operator should change; undefined when nothing is evicted, or when Valkey does not say
 */
export const evictionWarning = async (valkey: Pick<Valkey, 'ask'>): Promise<string | undefined> =>
  warningOf(await valkey.ask((commands) => commands.info('memory')).catch(() => ''))

/** @param info the reply to INFO memory: lines of `name:value` */
export const warningOf = (info: string): string | undefined => {
  const fields = new Map(info.split(/\r?\n/).map((line): [string, string] => {
    const [name = '', value = ''] = line.split(':', 2)
    return [name, value]
  }))
  const [limit, policy] = [fields.get('maxmemory'), fields.get('maxmemory_policy')]
  if (policy === undefined || policy === 'noeviction' || limit === '0') return undefined
  return `Valkey evicts keys when its memory is full (maxmemory-policy ${policy}): counts of limits would be lost, ` +
    'and callers who used up theirs get through. Set maxmemory-policy noeviction, or give this service a Valkey of ' +
    'its own.'
}
