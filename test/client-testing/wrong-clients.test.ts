// Clients with a single defect: `grade` catches each, by the check that is about it. Correct clients give no false alarm.
import t from 'tap'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import { readCorpus } from '../defects/corpus.js'
import type { Defect } from './client/defects.js'
import { runClient } from './client/work.js'

type Era = 'legacy' | 'modern'

const CLIENTS = readCorpus<{ row: Defect }>('clients').defects
const eraOf = (revision: string): Era => revision === '2026-07-28' ? 'modern' : 'legacy'
const ABLE = { sampling: {}, elicitation: {}, roots: {} }
const PACE = 0.05

const token = createTestToken()

t.test('graded', async (t) => {
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  const failuresOf = async (era: Era, defects: Defect[], profiles: readonly string[]) => {
    const checks = await grade({
      server,
      token,
      requireSuccess: false,
      pauseFactor: PACE,
      profiles: PROFILES.filter(({ id }) => profiles.includes(id)),
      client: { run: (url) => runClient({ url, token, era, capabilities: ABLE, defects }) }
    })
    return checks.filter(({ status }) => status === 'failed').map(({ id, detail }) => ({ id, detail }))
  }

  t.ok(CLIENTS.length >= 22)
  for (const { id, clause, requirement, change, occasion = [] } of CLIENTS) {
    t.same((await failuresOf(eraOf(clause.revision), [change.row], occasion)).map((failure) => failure.id), [requirement], id)
  }

  const all = PROFILES.map(({ id }) => id)
  for (const [era, habits] of [['legacy', []], ['modern', []], ['modern', ['callsTogether']], ['legacy', ['callsTogether']]] as const) {
    t.strictSame(await failuresOf(era, [...habits], habits.length === 0 ? all : []), [], `a correct client: ${era} ${habits.join()}`)
  }
})
