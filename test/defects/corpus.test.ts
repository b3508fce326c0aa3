// The corpus: valid by its schema, complete for the clauses of servers, and each defect of a server shows on the wire.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import { served } from '../conformance/served.js'
import { REQUIREMENTS } from '../conformance/requirements.js'
import { MODERN } from '../helpers/build.js'
import { some } from '../helpers/fuzzing.js'
import { readCorpus, type Subject } from './corpus.js'
import { startRewritingServer, type Rewrite } from './rewriting-server.js'
import { tour } from './tour.js'

const SUBJECTS: readonly Subject[] = ['servers', 'clients', 'authorization-servers']
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
  const { client: { url } } = await served(t, { replyMode: 'sse' })
  const target = new URL(url)
  const differs = async (era: 'legacy' | 'modern', correct: readonly string[], change: Rewrite | readonly Rewrite[] = []): Promise<boolean> => {
    const server = await startRewritingServer(change, target)
    try {
      let at = 0
      for await (const line of tour(server.url, era)) if (line !== correct[at++]) return true
      return false
    } finally {
      await server.close()
    }
  }
  for (const era of ['legacy', 'modern'] as const) {
    const correct: string[] = []
    for await (const line of tour(target.href.replace('127.0.0.1', 'localhost'), era)) correct.push(line)
    t.notOk(await differs(era, correct), 'the correct server says the same again')
    for (const { id, differs: how, change } of some(servers.defects.filter(({ clause }) => (clause.revision === MODERN) === (era === 'modern')))) {
      t.ok(await differs(era, correct, change), `${id}: ${how}`)
    }
  }
})
