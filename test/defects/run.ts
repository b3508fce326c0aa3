/**
 * `npm run defects -- list`, `serve ID`, `client ID URL` and `scores`: lists the corpus, serves a server or an
 * authorization server of it, runs a client of it once, and writes docs/reference/suite-scores.md.
 */
import { once } from 'node:events'
import { startAuthorizationServer, type Rows } from './authorization-server.js'
import { readCorpus, type Defect, type Subject } from './corpus.js'
import { startRewritingServer, type Rewrite } from './rewriting-server.js'
import { runDefectiveClient } from './run-client.js'

interface Row { row: string, value: unknown }

const [action, id, url = process.env['MCP_URL'] ?? ''] = process.argv.slice(2)
const find = (subject: Subject): Defect | undefined => readCorpus(subject).defects.find((defect) => defect.id === id)

const serve = async (): Promise<void> => {
  const server = find('servers')
  const authorization = find('authorization-servers')
  if (!server && !authorization && id !== 'correct') throw new Error(`There is no server ${String(id)}. npm run defects -- list shows all.`)
  const { row, value } = (authorization?.change ?? { row: '', value: undefined }) as Row
  const started = authorization
    ? await startAuthorizationServer({ [row]: value } as Partial<Rows>)
    : await startRewritingServer(server?.change as Rewrite | undefined)
  console.log(`${(server ?? authorization)?.differs ?? 'It is correct.'}\n${started.url}`)
  await once(process, 'SIGINT')
  await started.close()
}

const client = async (): Promise<void> => { process.exitCode = await runDefectiveClient(id ?? '', { url }) }

const list = async (): Promise<void> => {
  for (const subject of ['servers', 'clients', 'authorization-servers'] as const) {
    for (const { id: own, clause, differs } of readCorpus(subject).defects) console.log(`${own.padEnd(38)} ${clause.level.padEnd(9)} ${differs}`)
  }
}

const scores = async (): Promise<void> => (await import('./scores.js')).writeScores()
const actions: Record<string, () => Promise<void>> = { list, serve, client, scores }
const run = actions[action ?? 'list']
if (!run) throw new Error(`There is no ${String(action)}: say list, serve ID, client ID URL or scores.`)
await run()
