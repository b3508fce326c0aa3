// What is unchanged is made into a reply once; replies still differ as their requests do: by revision, by what is asked for, by id.
import t from 'tap'
import { build, handshake, legacy, modern } from '../../helpers/build.js'
import { idOf } from '../../helpers/planning.js'

interface Read { id: number, result: { structuredContent?: { questions: object[] }, resultType?: string } }

const request = (more: object = {}) => ({ name: 'get_exploration', arguments: { exploration_id: idOf('Pay in instalments'), ...more } })

t.test('by revision, by what is asked for, by id', async (t) => {
  const { app, key } = await build(t)
  const [newer, older] = [await handshake(app, key, '2025-11-25'), await handshake(app, key, '2025-03-26')]
  for (let again = 0; again < 2; again++) {
    const { body } = await modern<Read>(app, key, 'tools/call', request())
    t.match(body, { id: 1, result: { resultType: 'complete' } })
    t.notOk('resultType' in (await legacy<Read>(app, key, newer, 'tools/call', request())).body.result)
    t.notOk('structuredContent' in (await legacy<Read>(app, key, older, 'tools/call', request())).body.result)
    const open = (await legacy<Read>(app, key, newer, 'tools/call', request({ questions: 'open' }))).body.result.structuredContent!
    t.match(open.questions, [{ status: 'open' }])
    t.ok(open.questions.length < body.result.structuredContent!.questions.length)
  }
})
