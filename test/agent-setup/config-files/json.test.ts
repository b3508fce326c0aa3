import t from 'tap'
import { put, readTree, take } from '../../../src/agent-setup/config-files/edit.js'
import { at } from '../../../src/agent-setup/config-files/tree.js'

/** Maps as objects, for comparing. */
const plain = (tree: unknown): unknown =>
  tree instanceof Map ? Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)])) : tree

const PATH = ['mcpServers', 'exploration']
const ENTRY = { url: 'http://127.0.0.1:8080/mcp', headers: { Authorization: 'Bearer x' } }

const BEFORE: Record<string, string> = {
  'nothing at all': '',
  'white space': ' \r\n\n',
  'an empty object': '{}',
  'an empty object with a line': '{\n}\n',
  'no servers yet': '{\n  "theme": "dark"\n}\n',
  'an empty map of servers': '{\n  "mcpServers": {},\n  "theme": "dark"\n}',
  'servers of others': '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n',
  'comments, trailing commas': '// mine\n{\n  "mcpServers": {\n    "other": { "a": 1 }, // why\n    // "off": {},\n  }, /* end */\n}\n',
  'a comment after the last value': '{\n  "mcpServers": {\n    "other": {} // why\n    /* and */\n  }\n}\n',
  'nothing but comments inside': '{ "mcpServers": { /* none yet */ }, "b": 1 // c\n}',
  tabs: '{\n\t"a": [\n\t\t1\n\t]\n}\n',
  'four spaces': '{\n    "mcpServers": {\n        "other": {}\n    }\n}\n',
  'CRLF and a byte order mark': '\uFEFF{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
  'one line': '{"mcpServers":{"other":{"url":"x"}},"b":[1,2,]}',
  'one line with spaces': '{ "mcpServers": { "other": 1, } }\n',
  'odd white space': '{\n\n"a"\n:\n1\n,\n\n   "mcpServers"   :{\n"z":{}\n  ,\n"y":[]}}   ',
  'names of the language itself': '{"__proto__": {"mcpServers": 1}, "constructor": {}, "toString": "x"}'
}

for (const [what, before] of Object.entries(BEFORE)) {
  t.test(`${what}: in, again, and out`, async (t) => {
    const { text, trace } = put('json', before, PATH, ENTRY)
    t.strictSame(JSON.stringify(plain(at(readTree('json', text), PATH))), JSON.stringify(ENTRY))
    t.equal(put('json', text, PATH, ENTRY).text, text)
    t.equal(take('json', text, PATH, trace), before)
    t.equal(take('json', before, PATH, trace), before)
    const renewed = put('json', text, PATH, { ...ENTRY, url: 'https://other/' }).text
    t.equal(take('json', renewed, PATH, trace), before)
  })
}

t.test('it goes where a hand would put it', async (t) => {
  t.equal(put('json', BEFORE['comments, trailing commas']!, PATH, { url: 'u' }).text,
    '// mine\n{\n  "mcpServers": {\n    "other": { "a": 1 }, // why\n    // "off": {},\n    "exploration": {\n' +
    '      "url": "u"\n    },\n  }, /* end */\n}\n')
  t.equal(put('json', BEFORE['a comment after the last value']!, PATH, { url: 'u' }).text,
    '{\n  "mcpServers": {\n    "other": {}, // why\n    /* and */\n    "exploration": {\n      "url": "u"\n    }\n  }\n}\n')
  t.equal(put('json', BEFORE['tabs']!, PATH, { url: 'u' }).text,
    '{\n\t"a": [\n\t\t1\n\t],\n\t"mcpServers": {\n\t\t"exploration": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n}\n')
  t.equal(put('json', BEFORE['one line']!, PATH, { url: 'u' }).text,
    '{"mcpServers":{"other":{"url":"x"},"exploration": {"url":"u"}},"b":[1,2,]}')
  t.equal(put('json', '', PATH, { url: 'u' }).text, '{\n  "mcpServers": {\n    "exploration": {\n      "url": "u"\n    }\n  }\n}\n')
})

t.test('what came in between stays', async (t) => {
  const { text, trace } = put('json', '{}\n', PATH, { url: 'u' })
  const later = put('json', put('json', text, ['mcpServers', 'later'], {}).text, ['theme'], 'dark').text
  t.equal(take('json', later, PATH, trace), '{\n  "mcpServers": {\n    "later": {}\n  },\n  "theme": "dark"\n}\n')
})

t.test('elements of lists are known by their id', async (t) => {
  const path = ['inputs', { id: 'token' }]
  for (const before of ['{}', '{"inputs": []}', '{\n  "inputs": [\n    { "id": "a" }, // x\n  ]\n}', '{"inputs":[{"id":"a"},7]}']) {
    const { text, trace } = put('json', before, path, { id: 'token', type: 'promptString' })
    t.equal(put('json', text, path, { id: 'token', type: 'promptString' }).text, text)
    t.equal(take('json', text, path, trace), before)
  }
})

t.test('what cannot be changed with certainty is refused', async (t) => {
  const refused = (text: string) => {
    try {
      return put('json', text, PATH, ENTRY).text
    } catch (error) {
      return (error as Error).message
    }
  }
  t.match(refused('{"a": }'), /line 1: value expected/)
  t.match(refused('{\n"a": 1\n"b": 2}'), /line 3/)
  t.match(refused('[]'), /The file is a list where an object is expected/)
  t.match(refused('{"mcpServers": []}'), /mcpServers is a list/)
  t.match(refused('{"mcpServers": null}'), /mcpServers is a null/)
  t.match(refused('{"mcpServers": {}, "mcpServers": {}}'), /mcpServers stands there 2 times/)
  t.match(refused('{"mcpServers": {"exploration": 1, "exploration": 2}}'), /mcpServers.exploration stands there 2 times/)
  t.match(refused('// only a comment'), /comments but no value/)
  t.match(refused('{} {}'), /line 1/)
  t.match(refused('['.repeat(100_000)), /nested too deeply|line 1/)
  t.match(refused('"text"'), /The file is a string/)
})
