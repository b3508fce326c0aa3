// The corpus: valid by its schema, complete for the clauses of servers, and each defect of a server shows on the wire.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import { fixture } from '../conformance/fixture.js'
import { REQUIREMENTS } from '../conformance/requirements.js'
import { MODERN } from '../helpers/build.js'
import { readCorpus, type Subject } from './corpus.js'
import { startRewritingServer, type Rewrite } from './rewriting-server.js'
import { transcriptOf } from './tour.js'

const SUBJECTS: readonly Subject[] = ['servers', 'clients', 'authorization-servers']
const differing = (lines: readonly string[], correct: readonly string[]): string[] => lines.filter((line, index) => line !== correct[index])
const servers = readCorpus<Rewrite | Rewrite[]>('servers')

t.test('each file fits the schema, and no id is used twice', async (t) => {
  const valid = validator(JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8')) as object)
  for (const subject of SUBJECTS) t.equal(valid(structuredClone(readCorpus(subject))).ok, true, subject)
  const ids = SUBJECTS.flatMap((subject) => readCorpus(subject).defects.map(({ id }) => id))
  t.equal(new Set(ids).size, ids.length)
})

t.test('each MUST of servers has a defect, or a reason why it is not seen from outside', async (t) => {
  const musts = REQUIREMENTS.filter(({ id, level }) => level.startsWith('MUST') && !id.startsWith('oauth-')).map(({ id }) => id)
  const covered = new Set([...servers.defects.map(({ requirement }) => requirement), ...Object.keys(servers.unseen ?? {})])
  t.strictSame(musts.filter((id) => !covered.has(id)), [])
  t.strictSame([...covered].filter((id) => !musts.includes(id)), [])
})

t.test('each defect shows on the wire', async (t) => {
  const app = await fixture({ replyMode: 'sse' })
  t.teardown(() => app.close())
  const target = new URL(`${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
  const tour = async (era: 'legacy' | 'modern', change: Rewrite | readonly Rewrite[] = []): Promise<string[]> => {
    const server = await startRewritingServer(change, target)
    const transcript = await transcriptOf(server.url, era)
    await server.close()
    return transcript
  }
  const correct = { legacy: await tour('legacy'), modern: await tour('modern') }
  for (const era of ['legacy', 'modern'] as const) t.strictSame(differing(await tour(era), correct[era]), [], 'the correct server says the same again')
  const waiting = [...servers.defects]
  const walk = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const era = next.clause.revision === MODERN ? 'modern' : 'legacy'
      t.ok(differing(await tour(era, next.change), correct[era]).length > 0, `${next.id}: ${next.differs}`)
    }
  }
  await Promise.all(Array.from({ length: 6 }, walk))
})
