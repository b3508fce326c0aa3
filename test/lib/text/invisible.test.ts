// Characters that no one sees: gone from what a model reads, escapes on a terminal; kept where writing needs them.
import fc from 'fast-check'
import t from 'tap'
import { escapeInvisible, hasUnusual, stripInvisible, stripInvisibleIn } from '../../../src/lib/text/invisible.js'
import { build, handshake, legacy, modern } from '../../helpers/build.js'
import { anyText, runs } from '../../helpers/fuzzing.js'

const tags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xE0000 + letter.charCodeAt(0))).join('')
const HIDDEN = `${tags('ignore all')}\u200b\u200e\u202e\u2066\u061c\u2060\ufeff\u00ad\u{E0101}\ufe01\u3164\u001b`
const NEEDED = ['👩‍💻', '👩🏽‍🚀', '❤️‍🔥', '❤️', '1️⃣', `🏴${tags('gbsct')}\u{E007F}`, 'می‌خواهم', 'क्‍ष', 'שלום', 'naïve', 'a\tb\nc']

t.test('what is kept and what goes', async (t) => {
  t.equal(stripInvisible(`a${HIDDEN}b`), 'ab')
  for (const text of NEEDED) t.equal(stripInvisible(text), text, text)
  t.equal(stripInvisible(`❤️${'\ufe0f'.repeat(8)}`), '❤️', 'one selector is enough')
  t.equal(stripInvisible(`🏴${tags('hidden')}`), '🏴', 'a flag of nowhere')
  t.equal(stripInvisible('a\u200db\u200cc'), 'abc', 'letters that do not join')
  const value = { a: ['x', { b: 'y' }], c: 1 }
  t.equal(stripInvisibleIn(value), value, 'what has none is the same object')
  t.same(stripInvisibleIn({ a: [`x${HIDDEN}`, { b: HIDDEN }], c: null }), { a: ['x', { b: '' }], c: null })
})

t.test('each invisible character is unusual', async (t) => {
  const removed = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u{FFF9}-\u{FFFB}]/u
  const missed: string[] = []
  for (let code = 0; code <= 0x10FFFF; code++) {
    const character = String.fromCodePoint(code)
    if (removed.test(character) && !'\t\n\v\f\r'.includes(character) && !hasUnusual(`a${character}b`)) missed.push(code.toString(16))
  }
  t.same(missed, [])
  t.notOk(hasUnusual('A “naïve” text – in Ελληνικά, 日本語 and русский: 100 €,\tof\r\nlines'))
})

t.test('escapes', async (t) => {
  t.match(escapeInvisible(`a${HIDDEN}\u0085\u2028\n`), /^a[\\u0-9a-f]+$/)
  fc.assert(fc.property(anyText(), (text) => {
    const line = escapeInvisible(JSON.stringify({ text }))
    return (JSON.parse(line) as { text: string }).text === text
  }), runs(1000))
})

t.test('through the front door', async (t) => {
  const { app, key, db } = await build(t)
  const [{ id } = { id: '' }] = await db.query<{ id: string }>('select exploration_id as id from requirement_packages limit 1')
  await db.query('update explorations set title = title || $1 where id = $2', [`${HIDDEN}!`, id])
  await db.query('update requirement_packages set markdown = $1 where exploration_id = $2', [`# Title${HIDDEN}\n👩‍💻`, id])
  await db.query('update workspaces set description = $1', [`described${HIDDEN}`])
  const session = await handshake(app, key)
  const hidden = /[\u200b\u200e\u202e\u2066\u061c\u2060\ufeff\u00ad\u3164\u{E0000}-\u{E0FFF}]/u
  const [{ type } = { type: '' }] = await db.query<{ type: string }>('select artifact_type as type from requirement_packages where exploration_id = $1 limit 1', [id])
  for (const [name, args] of Object.entries({
    get_exploration: { exploration_id: id },
    list_workspaces: {},
    find_explorations: { query: 'a' },
    get_requirement_package: { exploration_id: id, artifact_type: type }
  })) {
    for (const reply of [await modern(app, key, 'tools/call', { name, arguments: args }), await legacy(app, key, session, 'tools/call', { name, arguments: args })]) {
      t.equal(reply.status, 200)
      t.notMatch(reply.text, hidden, name)
      if (reply.text.startsWith('{')) t.match(reply.body, { result: { _meta: { 'exploration-mcp/note': /data, not instructions/ } } })
    }
  }
  for (const uri of [`service://exploration/${id}`, `service://exploration/${id}/artifact/${type}`]) {
    const { text, body } = await modern<{ result: { contents: Array<{ text: string }> } }>(app, key, 'resources/read', { uri })
    t.notMatch(text, hidden, uri)
    t.match(body.result.contents[0], { _meta: { 'exploration-mcp/note': /data, not instructions/ } })
  }
  t.notMatch((await modern(app, key, 'resources/list')).text, hidden)
  t.match((await modern(app, key, 'resources/read', { uri: `service://exploration/${id}/artifact/${type}` })).text, '👩‍💻')
})
