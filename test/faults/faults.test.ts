// A short version of `npm run faults`: whatever goes wrong, nothing is answered wrongly, and no answered call lacks its audit row.
import t from 'tap'
import { cluster } from './cluster.js'
import { FAULTS } from './faults.js'
import { load } from './load.js'

// It breaks services of its own, which only root can make; where others were started for tests, they can be.
const SKIP = (process.getuid?.() !== 0 || process.env['TEST_DATABASE_URL'] === undefined) && 'not root, or no TEST_DATABASE_URL'

// Calls are under way whenever something breaks; without a pause the callers would compute most of the time that the test takes.
const PAUSE_MS = 60

t.test('faults', { skip: SKIP }, async (t) => {
  const replicas = await cluster()
  t.teardown(() => replicas.close())
  for (const [name, { title, quick, run }] of Object.entries(FAULTS)) {
    if (!quick) continue
    const { answered, wrong, lost } = await run(replicas, (callers) => load(replicas, name, callers, PAUSE_MS))
    t.match({ wrong, lost }, { wrong: 0, lost: 0 }, title)
    t.ok(answered > 0)
  }
})
