/** Writes test/planning/tools/tools-list.json: the product's tools as `tools/list` shows them, so that a change of them shows in a diff. */
import { writeFile } from 'node:fs/promises'
import { toolRegistry } from '../../src/engine/tools/tool-registry.js'
import { tools } from '../../src/planning/tools/index.js'

const target = new URL('../../test/planning/tools/tools-list.json', import.meta.url)
const listed = toolRegistry(tools.map((tool) => ({ ...tool, run: async () => ({ content: [] }) })), (context) => context).list('admin')
await writeFile(target, `${JSON.stringify(listed, undefined, 2)}\n`)
