/** Made-up planning data for clients under test: four tools, three resources and a prompt. */
import {
  progress, Refusal, result, type HandlerEvent, type Prompt, type Resource, type Tool, type ToolResult
} from '../engine/engine.js'

const WORKSPACES = [
  { id: 'w-checkout', name: 'Checkout – Zürich' },
  { id: 'w-search', name: 'Search 検索 🔎' }
]
const EXPLORATIONS = [
  {
    id: 'e-refunds',
    workspace_id: 'w-checkout',
    title: 'Partial refunds',
    summary: 'Give back a part of what was paid.'
  },
  {
    id: 'e-invoices',
    workspace_id: 'w-checkout',
    title: 'Invoices by post',
    summary: 'Print an invoice and send it by post.'
  },
  { id: 'e-typos', workspace_id: 'w-search', title: 'Typing errors', summary: 'Find what was meant.' }
]

const string = { type: 'string' } as const
const list = (name: string, properties: Record<string, typeof string>): Tool['output'] => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } } },
  required: [name]
})

async function * find ({ query = '' }: { query?: string }): AsyncGenerator<HandlerEvent, ToolResult, never> {
  for (const step of [1, 2, 3]) yield progress(step, 3, `step ${step} of 3`)
  const words = query.toLowerCase()
  const hits = EXPLORATIONS.filter(({ title, summary }) => `${title} ${summary}`.toLowerCase().includes(words))
  const explorations = (hits.length > 0 ? hits : EXPLORATIONS).map(({ id, title }) => ({ id, title }))
  return result({ explorations }, explorations.map(({ title }) => title).join(', '))
}

export const testTools: ReadonlyArray<Tool<never>> = [
  {
    name: 'ping',
    title: 'Ping',
    description: 'Answers that the server works.',
    scope: 'read',
    input: { type: 'object' },
    output: { type: 'object', properties: { status: string }, required: ['status'] },
    run: async () => result({ status: 'ok' }, 'ok')
  },
  {
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Lists the workspaces.',
    scope: 'read',
    input: { type: 'object' },
    output: list('workspaces', { id: string, name: string }),
    run: async () => result({ workspaces: WORKSPACES }, WORKSPACES.map(({ name }) => name).join(', '))
  },
  {
    name: 'find_explorations',
    title: 'Find explorations',
    description: 'Finds explorations by words of their title or summary; all of them when none fits.',
    scope: 'read',
    input: { type: 'object', properties: { query: string } },
    output: list('explorations', { id: string, title: string }),
    run: find
  } as Tool<never>,
  {
    name: 'get_exploration',
    title: 'Get an exploration',
    description: 'Returns one exploration by its id, such as e-refunds.',
    scope: 'read',
    input: { type: 'object', properties: { exploration_id: string }, required: ['exploration_id'] },
    output: { type: 'object', properties: { id: string, title: string, summary: string }, required: ['id', 'title'] },
    run: async ({ exploration_id: id }: { exploration_id: string }) => {
      const exploration = EXPLORATIONS.find((exploration) => exploration.id === id)
      if (!exploration) throw new Refusal('There is no such exploration. find_explorations lists them.')
      return result(exploration, `${exploration.title}: ${exploration.summary}`)
    }
  } as Tool<never>
]

const page = (name: string, text: string): Resource => ({
  template: `service://test/${name}`,
  name,
  title: name,
  description: `Made-up data: ${name}.`,
  mimeType: 'text/plain',
  ttlMs: 60_000,
  read: async () => ({ mimeType: 'text/plain', text })
})

export const testResources: readonly Resource[] = [
  page('workspaces', WORKSPACES.map(({ name }) => name).join('\n')),
  page('explorations', EXPLORATIONS.map(({ title }) => title).join('\n')),
  page('glossary', 'exploration: an idea that is being examined')
]

export const testPrompts: readonly Prompt[] = [
  {
    name: 'summarize',
    title: 'Summarize',
    description: 'Asks for a summary of the explorations.',
    get: async () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Summarize the explorations.' } }] })
  }
]
