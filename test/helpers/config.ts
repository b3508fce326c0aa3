/** A configuration as tests give it: flags, and other values for the bounds that are no settings. */
import { BOUNDS, readConfig, type Bounds, type Config, type Environment, type Flags } from '../../src/config/config.js'

export type TestFlags = Flags & Partial<Record<keyof Bounds, string>>

/** A machine that is busy with other tests is no overload. */
export const testConfig = (flags: TestFlags = {}, env: Environment = {}): Config => {
  const { overloadDelayMs = '0' } = flags
  const entries = Object.entries({ ...flags, overloadDelayMs })
  const isBound = ([name]: [string, unknown]): boolean => Object.hasOwn(BOUNDS, name)
  const settings = Object.fromEntries(entries.filter((entry) => !isBound(entry)))
  const bounds = Object.fromEntries(entries.filter(isBound).map(([name, value]) => [name, Number(value)]))
  return Object.freeze({ ...readConfig(env, settings), ...bounds })
}
