/** The scope of connections. There is one: it lets an application list and read. */
import type { Scope } from '../lib/principal.js'

export const SCOPE = 'read' satisfies Scope
