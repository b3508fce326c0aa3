/** Writes docs/reference/engine-api.md from the types of src/engine/engine.ts. */
import { writePage } from '../markdown.mjs'
import { engineSurface, type SurfaceExport } from './engine-surface.js'

const surface = engineSurface()

/** A type that is named as a function but for its capital says so in its heading: headings ignore case in links. */
const lowerCased = surface.map(({ name }) => name.toLowerCase())
const isTwin = ({ name }: SurfaceExport): boolean => lowerCased.indexOf(name.toLowerCase()) !== lowerCased.lastIndexOf(name.toLowerCase())
const headingOf = (one: SurfaceExport): string => `\`${one.name}\`${isTwin(one) && /^[A-Z]/.test(one.name) ? ' (type)' : ''}`
const link = (one: SurfaceExport): string =>
  `[\`${one.name}\`](#${headingOf(one).toLowerCase().replaceAll(/[`()]/g, '').replaceAll(' ', '-')})`

const entry = (one: SurfaceExport): string => [
  `### ${headingOf(one)}`,
  // A line that begins with @ is a tag: it begins a paragraph.
  ...one.documentation === '' ? [] : [one.documentation.replaceAll(/^@(\w+)/gm, '\n`@$1`').trim()],
  `\`\`\`ts\n${one.declaration}\n\`\`\``
].join('\n\n')

const groups = [...new Set(surface.map(({ group }) => group))]
  .map((group) => ({ group, own: surface.filter((one) => one.group === group) }))
await writePage('engine-api.md', 'scripts/docs/engine-page.ts from src/engine/engine.ts', [
  '# Engine API',
  'Every export of `exploration-mcp-engine`, which `exploration-mcp/engine` exports too. [Build your own MCP server](../how-to/build-your-own-server.md) shows how they fit together.',
  groups.map(({ group, own }) => `- ${group}: ${own.map(link).join(', ')}`).join('\n'),
  ...groups.flatMap(({ group, own }) => [`## ${group}`, ...own.map(entry)])
])
