/** The resources that the official suite asks for. */
import type { Resource } from 'exploration-mcp/engine'
import { PNG } from './media.js'

const resource = (template: string, description: string, mimeType: string, read: Resource['read']): Resource =>
  ({ template, name: template, title: template, description, mimeType, ttlMs: 1000, read })

export const resources: readonly Resource[] = [
  resource('test://static-text', 'A text.', 'text/plain', async () =>
    ({ mimeType: 'text/plain', text: 'This is the content of the static text resource.' })),
  resource('test://static-binary', 'A picture.', 'image/png', async () => ({ mimeType: 'image/png', blob: PNG })),
  resource('test://watched-resource', 'A text to watch.', 'text/plain', async () => ({
    mimeType: 'text/plain', text: 'Watched.'
  })),
  resource('test://template/{id}/data', 'A text made of its id.', 'application/json', async ({ id }) =>
    ({ mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }))
]
