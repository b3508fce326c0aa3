/** Connections to the Valkey of TEST_VALKEY_URL. */
import type { Test } from 'tap'
import { openValkey, type Valkey } from '../../src/store/valkey.js'

/** Undefined where there is none. */
export const VALKEY = process.env['TEST_VALKEY_URL'] || undefined

export const valkey = async (t: Test, url: string): Promise<Valkey> => {
  const opened = await openValkey(url)
  t.teardown(() => opened.close())
  return opened
}
