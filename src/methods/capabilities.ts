/** What the server declares that it can do, by revision. */
import { has } from '../revisions.js'
import type { Catalogue } from './method.js'

export const capabilities = (revision: string, { prompts }: Catalogue): Record<string, unknown> => ({
  tools: {},
  resources: {},
  ...(prompts && { prompts: {} }),
  ...(has(revision, 'completionsCapability') && { completions: {} })
})
