/** What the server declares that it can do, by revision. */
import { has } from '../revisions.js'

export const capabilities = (revision: string): Record<string, unknown> => ({
  tools: {},
  resources: {},
  ...(has(revision, 'completionsCapability') && { completions: {} })
})
