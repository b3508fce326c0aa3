// What only the fixture has: prompts, arguments that headers mirror, contents other than text.
import t from 'tap'
import { handshake, legacy, modern } from '../helpers/build.js'
import { fixture } from './fixture.js'
import { meets } from './requirements.js'

interface Reply { result: Record<string, unknown>, error: { code: number, message: string } }

t.test('the fixture', async (t) => {
  const app = await fixture()
  t.teardown(() => app.close())
  const session = await handshake(app, 'any')

  await t.test('prompts: declared, listed, got, completed', async (t) => {
    meets('prompts-declared', 'prompt-errors')
    const discovered = await modern<Reply>(app, 'any', 'server/discover')
    t.match(discovered.body.result['capabilities'], { prompts: {}, tools: {}, resources: {}, completions: {} })
    const { body } = await modern<Reply>(app, 'any', 'prompts/list')
    t.match(body.result, { resultType: 'complete', cacheScope: 'public', ttlMs: Number })
    t.match((body.result['prompts'] as Array<{ name: string }>).map(({ name }) => name),
      ['test_simple_prompt', 'test_prompt_with_arguments', 'test_prompt_with_embedded_resource', 'test_prompt_with_image',
        'test_input_required_result_prompt'])
    const name = 'test_prompt_with_arguments'
    const got = await legacy<Reply>(app, 'any', session, 'prompts/get', { name, arguments: { arg1: 'a', arg2: 'b' } })
    t.strictSame(
      got.body.result,
      { messages: [{ role: 'user', content: { type: 'text', text: "Prompt with arguments: arg1='a', arg2='b'" } }] }
    )
    for (const params of [{ name, arguments: { arg1: 'a' } }, { name: 'nothing' }, { name, arguments: { arg1: 1 } }, {}]) {
      t.equal((await modern<Reply>(app, 'any', 'prompts/get', params)).body.error.code, -32602)
      t.equal((await legacy<Reply>(app, 'any', session, 'prompts/get', params)).body.error.code, -32602)
    }
    const complete = (ref: object) =>
      modern<Reply>(app, 'any', 'completion/complete', { ref, argument: { name: 'arg1', value: 'par' } })
    t.match((await complete({ type: 'ref/prompt', name })).body.result['completion'], {
      values: ['paris', 'party'], hasMore: false
    })
    t.equal((await complete({ type: 'ref/prompt', name: 'nothing' })).body.error.code, -32602)
  })

  await t.test('an argument that a header mirrors agrees with it', async (t) => {
    meets('headers-decoded', 'headers-characters')
    const call = (args: Record<string, unknown>, header?: string) => modern<Reply>(app, 'any', 'tools/call',
      { name: 'test_x_mcp_header', arguments: args }, { 'mcp-param-region': header })
    t.equal((await call({ region: 'eu' }, 'eu')).status, 200)
    t.equal((await call({ region: 'Zürich' }, `=?base64?${Buffer.from('Zürich').toString('base64')}?=`)).status, 200)
    t.equal((await call({})).status, 200)
    for (const [args, header] of [[{ region: 'eu' }, 'us'], [{ region: 'eu' }, undefined], [{}, 'eu'], [{ region: 'eu' }, '=?base64?ZXU?='], [{ region: 'Zürich' }, 'Zürich']] as const) {
      const refused = await call(args, header)
      t.equal(refused.status, 400)
      t.equal(refused.body.error.code, -32020)
    }
    t.equal(
      (await legacy<Reply>(app, 'any', session, 'tools/call', { name: 'test_x_mcp_header', arguments: { region: 'eu' } })).status,
      200
    )
  })
})
