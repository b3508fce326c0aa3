/**
 * Writes the product's tools as `tools/list` shows them, so that a change of them shows in a diff: tools-list.json has those of readers,
 * tools-list-writing.json those that a caller who may write sees beside them.
 */
import { writeFile } from 'node:fs/promises'
import { toolRegistry } from '../../src/engine/tools/tool-registry.js'
import type { UserPrincipal } from '../../src/lib/principal.js'
import { tools } from '../../src/planning/tools/index.js'

const registry = toolRegistry(tools.map((tool) => ({ ...tool, run: async () => ({ content: [] }) })), (context) => context)
const listed = (rules: UserPrincipal['rules']) => {
  const principal: Pick<UserPrincipal, 'rules'> & { credential: { id: string, scope: 'admin' } } = { credential: { id: '', scope: 'admin' }, rules }
  return registry.listFor(principal).tools
}
const readers = listed(new Map())
const writers = listed(new Map([['', { agents: 'report', role: 'editor' }]])).filter(({ name }) => !readers.some((tool) => tool.name === name))

for (const [file, list] of [['tools-list.json', readers], ['tools-list-writing.json', writers]] as const) {
  await writeFile(new URL(`../../test/planning/tools/${file}`, import.meta.url), `${JSON.stringify(list, undefined, 2)}\n`)
}
