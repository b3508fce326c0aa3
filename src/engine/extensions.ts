/** Extensions of the protocol that a client declares in its capabilities: 2025-11-25 and 2026-07-28 extensions. */
import { isObject } from '../lib/json/json-object.js'

/** Returns what a client's capabilities declare for an extension; undefined when they do not name it. */
export const declaredExtension = (
  capabilities: Readonly<Record<string, unknown>>, name: string
): Readonly<Record<string, unknown>> | undefined => {
  const extensions = capabilities['extensions']
  const declared = isObject(extensions) ? extensions[name] : undefined
  return isObject(declared) ? declared : undefined
}
