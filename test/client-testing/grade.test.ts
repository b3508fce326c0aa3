// Each profile and rule: a correct client passes, and a client with one defect is caught by it, and by it alone.
import t from 'tap'
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../src/client-testing/authorization/authorization-rules.js'
import { violationsIn } from '../../src/client-testing/grade/during-profiles.js'
import { grade } from '../../src/client-testing/grade/grade.js'
import { runProfile } from '../../src/client-testing/grade/run-profile.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import type { Profile } from '../../src/client-testing/profiles/profile.js'
import { createTestToken, startTestServer } from '../../src/client-testing/test-server.js'
import { readCorpus } from '../defects/corpus.js'
import { some } from '../helpers/fuzzing.js'
import { runAuthorizedClient } from './client/authorized.js'
import { runClient } from './client/work.js'
import type { Defect } from './client/defects.js'
import { ABLE, caseOf, CAUGHT, type AuthorizationDefect } from './profile-cases.js'

const AT_A_TIME = 6
const PACE = 0.05

const token = createTestToken()
const server = await startTestServer(token)
t.teardown(() => server.close())

t.test('the tables of profiles', async (t) => {
  const all = [...PROFILES, ...AUTHORIZATION_PROFILES]
  const ids = all.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'no id twice')
  t.same(Object.keys(CAUGHT).sort(), [...AUTHORIZATION_PROFILES, ...AUTHORIZATION_RULES].map(({ id }) => id).sort())
  for (const { id, legacy, modern, rfc, level, happens, expects, judgedBy } of all) {
    t.match(id, /^[a-z0-9-]+$/)
    t.equal(level === 'robustness', (legacy ?? modern ?? rfc) === undefined, `${id}: a clause, or no text demands it`)
    t.ok([happens, expects, judgedBy].every((text) => text.length > 4), id)
  }
})

t.test('profiles', async (t) => {
  const runs = some([...PROFILES.entries()]).flatMap(([index, profile]) => {
    const { capabilities, defects, outcome } = caseOf(profile)
    const era = profile.eras[index % profile.eras.length]!
    const run = async (given: readonly Defect[]) => {
      let hold = (): void => {}
      const held = new Promise<void>((resolve) => { hold = resolve })
      const create: Profile['create'] = (context) => profile.create({
        ...context,
        async pause (ms, signal) {
          hold()
          await context.pause(ms, signal)
        }
      })
      return runProfile({ ...profile, create }, {
        server,
        token,
        // An impatient client leaves when the pause begins.
        pauseFactor: given.includes('impatient') ? 1 : PACE,
        client: { run: (url) => runClient({ url, token, era, capabilities, defects: given, held, listens: profile.family === 'subscriptions' }) }
      })
    }
    return [
      async () => {
        const outcome = await run([])
        const { judgement, subject } = outcome
        t.strictSame(violationsIn(outcome).map(({ rule, detail }) => `${rule}: ${detail}`), [], `${profile.id}: no false alarm beside the profile`)
        t.equal(judgement.status, 'passed', `${profile.id}: a correct client copes`, { judgement, stderr: subject?.stderr })
      },
      async () => {
        const { judgement, subject } = await run(defects)
        t.match(judgement, { status: 'failed', outcome }, `${profile.id}: a client is caught that ${defects.join(', ')}`, { judgement, stderr: subject?.stderr })
      }
    ]
  })
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    for (let run = runs.shift(); run; run = runs.shift()) await run()
  }))
})

t.test('clients with a single defect: the check that is about it fails, and no other', async (t) => {
  const failuresOf = async (era: 'legacy' | 'modern', defects: Defect[], profiles?: readonly string[]) => (await grade({
    server,
    token,
    requireSuccess: profiles === undefined,
    pauseFactor: PACE,
    profiles: PROFILES.filter(({ id }) => profiles?.includes(id)),
    client: { run: (url) => runClient({ url, token, era, capabilities: ABLE, defects }) }
  })).filter(({ status }) => status === 'failed').map(({ id }) => id)
  for (const { id, clause, requirement, change, occasion } of some(readCorpus<{ row: Defect }>('clients').defects)) {
    const era = clause.revision === '2026-07-28' ? 'modern' : 'legacy'
    t.same(await failuresOf(era, [change.row], occasion ?? []), [requirement], id)
  }
  for (const habit of ['callsTogether', 'strict', 'lenient'] as const) {
    for (const era of ['legacy', 'modern'] as const) t.same(await failuresOf(era, [habit]), [], `a correct client: ${era}, ${habit}`)
  }
})

t.test('grade --authorization', async (t) => {
  const checksOf = async (defects: AuthorizationDefect[], ids: readonly string[]) => grade({
    server,
    token,
    authorization: true,
    requireSuccess: false,
    profiles: AUTHORIZATION_PROFILES.filter(({ id }) => ids.includes(id)),
    client: { run: (url) => runAuthorizedClient(url, defects) }
  })
  const caught = new Map(some(Object.entries(CAUGHT)))
  const checks = await checksOf([], [...caught.keys()])
  t.same(checks.filter(({ status }) => status === 'failed').map(({ id, detail }) => `${id}: ${detail}`), [], 'a correct client')
  t.same(checks.filter(({ id, status }) => caught.has(id) && status !== 'passed').map(({ id }) => id), [], 'each profile and rule was exercised')
  t.notOk(JSON.stringify(checks).includes(token), 'the credential of the server is in no report')
  for (const [id, defect] of caught) {
    const found = (await checksOf([defect], [id])).find((check) => check.id === id)
    t.equal(found?.status, 'failed', `${id}: ${defect}`, { detail: found?.detail })
  }
})
