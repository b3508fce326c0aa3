// Clients with a single defect: `grade` catches each, by the check that is about it. Correct clients give no false alarm.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { startTestServer } from '../../src/client-testing/test-server.js'
import { createTestToken } from '../../src/client-testing/token.js'
import type { Defect } from './client/defects.js'
import { runClient } from './client/work.js'

interface WrongClient { id: string, era: 'legacy' | 'modern', defect: Defect, profiles: string[], caught: string[] }

const CLIENTS = JSON.parse(readFileSync(new URL('wrong-clients.json', import.meta.url), 'utf8')) as WrongClient[]
const ABLE = { sampling: {}, elicitation: {}, roots: {} }
const PACE = 0.05

const token = createTestToken()

t.test('graded', async (t) => {
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  const failuresOf = async (era: WrongClient['era'], defects: Defect[], profiles: readonly string[]) => {
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
  for (const { id, era, defect, profiles, caught } of CLIENTS) {
    t.same((await failuresOf(era, [defect], profiles)).map((failure) => failure.id).sort(), caught, id)
  }

  const all = PROFILES.map(({ id }) => id)
  for (const [era, habits] of [['legacy', []], ['modern', []], ['modern', ['callsTogether']], ['legacy', ['callsTogether']]] as const) {
    t.strictSame(await failuresOf(era, [...habits], habits.length === 0 ? all : []), [], `a correct client: ${era} ${habits.join()}`)
  }
})
