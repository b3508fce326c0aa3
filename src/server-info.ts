/** What the server says of itself. */
import { createRequire } from 'node:module'

const { version, description } = createRequire(import.meta.url)('../package.json') as { version: string, description: string }

export const SERVER = { name: 'exploration-mcp', title: 'Exploration planning data', version, description }
