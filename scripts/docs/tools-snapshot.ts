/**
 * Writes test/planning/tools/tools-list.json, the product's tools as `tools/list` shows them to readers, and writing-tools-list.json,
 * those that callers who may write are shown beside, so that a change of them shows in a diff.
 */
import { writeFile } from 'node:fs/promises'
import { toolRegistry } from '../../src/engine/tools/tool-registry.js'
import { tools } from '../../src/planning/tools/index.js'

const write = async (target: URL, of: typeof tools): Promise<void> => {
  const shown = of.map(({ access: _, ...tool }) => ({ ...tool, run: async () => ({ content: [] }) }))
  const { tools: listed } = toolRegistry(shown, (context) => context).listFor({ credential: { id: '', scope: 'admin' } })
  await writeFile(target, `${JSON.stringify(listed, undefined, 2)}\n`)
}
await write(new URL('../../test/planning/tools/tools-list.json', import.meta.url), tools.filter(({ scope }) => scope === 'read'))
await write(new URL('../../test/planning/tools/writing-tools-list.json', import.meta.url), tools.filter(({ scope }) => scope !== 'read'))
