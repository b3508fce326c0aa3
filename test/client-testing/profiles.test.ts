// Each profile: a correct client copes with it, and a client with one defect is caught by it, and by it alone of the two runs.
import t from 'tap'
import { violationsIn } from '../../src/client-testing/grade/during-profiles.js'
import { runProfile } from '../../src/client-testing/grade/run-profile.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import type { Profile } from '../../src/client-testing/profiles/profile.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import { runClient } from './client/work.js'
import type { Defect } from './client/defects.js'
import { CASES } from './profile-cases.js'

const AT_A_TIME = 6
const PACE = 0.05

t.test('the table of profiles', async (t) => {
  const ids = PROFILES.map(({ id }) => id)
  t.ok(ids.length >= 45)
  t.equal(new Set(ids).size, ids.length, 'no id twice')
  t.strictSame(ids.filter((id) => !(id in CASES)), [], 'each profile has its case')
  t.strictSame(Object.keys(CASES).filter((id) => !ids.includes(id)), [], 'each case has its profile')
  for (const { id, eras, legacy, modern, rfc, level, happens, expects, judgedBy } of PROFILES) {
    t.match(id, /^[a-z0-9-]+$/)
    if (level === 'robustness') t.equal(legacy ?? modern ?? rfc, undefined, `${id}: no text demands it`)
    else if (rfc === undefined) {
      t.equal(eras.includes('legacy'), legacy !== undefined, `${id}: a clause of 2025-11-25`)
      t.equal(eras.includes('modern'), modern !== undefined, `${id}: a clause of 2026-07-28`)
    }
    t.ok([happens, expects, judgedBy].every((text) => text.length > 4), id)
  }
})

t.test('profiles', async (t) => {
  const token = createTestToken()
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  const runs = PROFILES.flatMap((profile) => {
    const { era, capabilities = {}, defects, outcome } = CASES[profile.id]!
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
        client: { run: (url) => runClient({ url, token, era: era ?? 'legacy', capabilities, defects: given, held, listens: profile.family === 'subscriptions' }) }
      })
    }
    return [
      async () => {
        const outcome = await run([])
        const { judgement, subject } = outcome
        t.strictSame(violationsIn(outcome).map(({ rule, detail }) => `${rule}: ${detail}`), [], `${profile.id}: no false alarm beside the profile`)
        t.equal(judgement?.status, 'passed', `${profile.id}: a correct client copes`, { judgement, stderr: subject?.stderr })
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

t.test('the defective clients do well on the correct server, so that it is the profile that catches them', async (t) => {
  const token = createTestToken()
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  // On the correct server each of them would fail, too: they lack what every server may use, or what every client has to do.
  const always = new Set(['noStream', 'noJson', 'needsStream', 'onlyLf', 'emptyData', 'needsTotal', 'reopensAtOnce'])
  const kinds = new Map(Object.values(CASES).map(({ era, capabilities, defects }) => [`${era} ${defects.join()}`, { era, capabilities, defects }]))
  for (const { era = 'legacy', capabilities = {}, defects } of kinds.values()) {
    if (defects.some((defect) => always.has(defect))) continue
    const { subject } = await runProfile(undefined, {
      server, token, client: { run: (url) => runClient({ url, token, era, capabilities, defects }) }
    })
    t.match(subject, { end: 'itself', exitCode: 0 }, `${era}: ${defects.join(', ')}`)
  }
})
