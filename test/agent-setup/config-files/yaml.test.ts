import t from 'tap'
import { put, readTree, take } from '../../../src/agent-setup/config-files/edit.js'
import { at, same, treeOf } from '../../../src/agent-setup/config-files/tree.js'

const PATH = ['extensions', 'exploration']
const ENTRY = {
  enabled: true,
  type: 'streamable_http',
  uri: 'http://127.0.0.1:8080/mcp',
  headers: { Authorization: 'Bearer x' },
  timeout: 300
}

const BEFORE: Record<string, string> = {
  'nothing at all': '',
  'white space': '\n\n',
  'a real one': 'GOOSE_PROVIDER: anthropic\nextensions:\n  developer:\n    bundled: true\n    enabled: true # yes\n    name: developer\n\n' +
    '  # off: {}\nGOOSE_MODEL: "claude"\n',
  'no extensions yet': '# mine\nGOOSE_MODEL: x   # best\n\n',
  'extensions of no one': 'extensions:\nGOOSE_MODEL: x\n',
  'extensions of no one, said': 'extensions: # none\n  # at all\nb: 1',
  'empty brackets': 'a: 1\nextensions: {} # none\nb: 1\n',
  'empty brackets over lines': 'extensions: {\n}\nb: 1\n',
  CRLF: '\uFEFFa: 1\r\nextensions:\r\n    dev:\r\n        x: 1\r\n',
  'no line end': 'extensions:\n  dev:\n    x: 1',
  'a text over lines at the end': 'extensions:\n  dev:\n    about: |\n      one\n      two\n\nb: 1\n',
  'a text that keeps its lines': 'extensions:\n  dev: >-\n    one\n\n    two\nb: 1\n',
  'nothing but a comment': '# mine\n\n',
  'nothing but a marker': '---\n',
  'marked, anchored': '---\nbase: &base\n  x: 1\nextensions:\n  dev:\n    <<: *base\n    list:\n    - 1\n    - {a: 1}\n',
  'names of the language itself': '__proto__: 1\nconstructor:\n  prototype: x\n'
}

for (const [what, before] of Object.entries(BEFORE)) {
  t.test(`${what}: in, again, and out`, async (t) => {
    const { text, trace } = put('yaml', before, PATH, ENTRY)
    t.ok(same(at(readTree('yaml', text), PATH), treeOf(ENTRY)))
    t.equal(put('yaml', text, PATH, ENTRY).text, text)
    t.equal(take('yaml', text, PATH, trace), before)
    t.equal(take('yaml', before, PATH, trace), before)
    t.equal(take('yaml', put('yaml', text, PATH, { ...ENTRY, uri: 'https://other/' }).text, PATH, trace), before)
  })
}

t.test('it looks as its neighbours do', async (t) => {
  t.equal(put('yaml', BEFORE['CRLF']!, PATH, { uri: 'http://x', headers: { a: 'yes' } }).text,
    '\uFEFFa: 1\r\nextensions:\r\n    dev:\r\n        x: 1\r\n    exploration:\r\n        uri: "http://x"\r\n        headers:\r\n            a: "yes"\r\n')
  t.equal(
    put('yaml', BEFORE['empty brackets']!, PATH, { timeout: 1 }).text,
    'a: 1\nextensions: # none\n  exploration:\n    timeout: 1\nb: 1\n'
  )
})

t.test('what came in between stays', async (t) => {
  const { text, trace } = put('yaml', '', PATH, ENTRY)
  t.equal(take('yaml', `${text}# mine\nGOOSE_MODEL: x\n`, PATH, trace), '# mine\nGOOSE_MODEL: x\n')
  t.equal(take('yaml', `${text}  other:\n    x: 1\n`, PATH, trace), 'extensions:\n  other:\n    x: 1\n')
  t.match(take('yaml', `${text}# mine\n`, PATH, trace), /# mine/)
})

t.test('what cannot be changed with certainty is refused', async (t) => {
  const refused = (text: string) => {
    try {
      return put('yaml', text, PATH, ENTRY).text
    } catch (error) {
      return (error as Error).message
    }
  }
  t.match(refused('a: "\n'), /line \d: /)
  t.match(refused('a: 1\na: 2\n'), /line 2: duplicate key/)
  t.match(refused('a: 1\n---\nb: 1\n'), /more than one document/)
  t.match(refused('- a\n'), /The file is not a map/)
  t.match(refused('extensions: [a]\n'), /extensions is not a map/)
  t.match(refused('extensions: { dev: {} }\n'), /in brackets/)
  t.match(refused(`a: &a [x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]\n`), /line 1: /)
})
