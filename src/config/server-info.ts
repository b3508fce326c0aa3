/** The name and version of the server, from package.json. */
import { createRequire } from 'node:module'

const { version, description }: { version: string, description: string } =
  createRequire(import.meta.url)('../../package.json')

export const SERVER = { name: 'exploration-mcp', title: 'Exploration planning data', version, description }

/** The `User-Agent` of the requests that this program sends. */
export const USER_AGENT = `${SERVER.name}/${SERVER.version}`
