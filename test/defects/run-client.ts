/** Runs a client of the corpus once. */
import type { Defect as ClientRow } from '../client-testing/client/defects.js'
import { runClient } from '../client-testing/client/work.js'
import { readCorpus } from './corpus.js'

interface Run { url: string, revision?: string, anyTools?: boolean }

/** Returns its exit code; `correct` is the client without a defect. */
export const runDefectiveClient = async (id: string, { url, revision, anyTools = false }: Run): Promise<number> => {
  const defect = readCorpus<{ row: string }>('clients').defects.find((row) => row.id === id)
  if (!defect && id !== 'correct') throw new Error(`There is no client ${id}. npm run defects -- list shows all.`)
  const { exitCode, stderr } = await runClient({
    url,
    token: process.env['MCP_TOKEN'] ?? '',
    era: (defect?.clause.revision ?? revision) === '2026-07-28' ? 'modern' : 'legacy',
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    defects: defect ? [defect.change.row as ClientRow] : [],
    anyTools,
    ...anyTools && { timeoutMs: 8000 }
  })
  if (stderr !== '') console.error(stderr)
  return exitCode ?? 1
}
