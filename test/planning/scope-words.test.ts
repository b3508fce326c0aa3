// The words about scopes and roles follow from what tools and operations need.
import t from 'tap'
import { describeScope, SCOPES } from '../../src/planning/scope-words.js'
import { tools } from '../../src/planning/tools/index.js'
import { permissions } from '../../src/administration/operations.js'
import { rolesSentence } from '../../src/administration/role-words.js'
import { ORIGIN, webServer } from '../helpers/web.js'

const reading = { name: 'a', title: 'Read', scope: 'read', annotations: { readOnlyHint: true } } as const
const writing = { name: 'b', title: 'Change the state of an item', scope: 'read_write', annotations: { readOnlyHint: false } } as const

t.test('scopes promise what their tools do', async (t) => {
  t.same(SCOPES.map((scope) => describeScope(scope)), [
    '8 read-only tools',
    `${tools.length} tools, also: ${tools.slice(8).map(({ title }) => title).join(', ')}, where a workspace lets agents write`,
    `the same ${tools.length} tools: none needs this scope`
  ])
  t.same(SCOPES.map((scope) => describeScope(scope, [reading, writing])), [
    '1 read-only tool',
    '2 tools, also: Change the state of an item',
    'the same 2 tools: none needs this scope'
  ])
})

t.test('roles promise what their operations do; no operation is without words', async (t) => {
  t.equal(rolesSentence(), 'Viewers read; editors also make explorations and edit them, their packages and plans, ' +
    'and decide about proposals, answer questions and undo changes; admins also decide whether agents write, ' +
    'and manage the members, and see and revoke keys and tokens that are limited to the workspace')
  for (const id of Object.keys(permissions)) t.notOk(rolesSentence().includes(id), `${id} needs words`)
})

t.test('the pages get them with the limits of the server, which differ for keys alone', async (t) => {
  const server = await webServer(t, { publicUrl: ORIGIN, rateLimitReadPerMinute: '7', rateLimitPatPerDay: '1234567' })
  const browser = await server.signIn(server.wide.id)
  const { body } = await browser.call<{ access: { scopes: Array<{ key: string, token: string }>, roles: string } }>('GET', '/session')
  t.match(body.access.scopes[0], { key: '8 read-only tools. 7 calls a minute, 10,000 a day' })
  t.equal(new Set(body.access.scopes.map(({ key }) => key.split('. ')[1])).size, 3)
  t.same([...new Set(body.access.scopes.map(({ token }) => token.split('. ')[1]))], ['240 calls a minute, 1,234,567 a day'])
  t.equal(body.access.roles, rolesSentence())
})
