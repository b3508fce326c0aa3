// Copies the skills of the product into the folder of the plugin, which hosts take as it is: node scripts/plugin-skills.mjs
import { cp, rm } from 'node:fs/promises'

const to = new URL('plugin/skills/', import.meta.url)
await rm(to, { recursive: true, force: true })
await cp(new URL('../src/planning/skills/', import.meta.url), to, { recursive: true })
