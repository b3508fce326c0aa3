// Where an entry goes, what is refused, and how a change is shown. That the rest of a file survives: survival.test.ts.
/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import t from 'tap'
import { diffOf, mask } from '../../../src/agent-setup/config-files/diff.js'
import { put, readTree, take } from '../../../src/agent-setup/config-files/edit.js'
import { at, same, treeOf } from '../../../src/agent-setup/config-files/tree.js'
import type { Format } from '../../../src/agent-setup/registry/agent.js'

const PATHS = { json: ['mcpServers', 'exploration'], toml: ['mcp_servers', 'exploration'], yaml: ['extensions', 'exploration'] }
const ENTRY = { url: 'http://127.0.0.1:8080/mcp', http_headers: { Authorization: 'Bearer "x"' } }
const U = { url: 'u' }

// File, entry, file with the entry.
const PLACES: Record<Format, Array<[before: string, entry: Parameters<typeof put>[3], after: string]>> = {
  json: [
    ['// mine\n{\n  "mcpServers": {\n    "other": { "a": 1 }, // why\n    // "off": {},\n  }, /* end */\n}\n', U,
      '// mine\n{\n  "mcpServers": {\n    "other": { "a": 1 }, // why\n    // "off": {},\n    "exploration": {\n      "url": "u"\n    },\n  }, /* end */\n}\n'],
    ['{\n  "mcpServers": {\n    "other": {} // why\n    /* and */\n  }\n}\n', U,
      '{\n  "mcpServers": {\n    "other": {}, // why\n    /* and */\n    "exploration": {\n      "url": "u"\n    }\n  }\n}\n'],
    ['{\n\t"a": [\n\t\t1\n\t]\n}\n', U,
      '{\n\t"a": [\n\t\t1\n\t],\n\t"mcpServers": {\n\t\t"exploration": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n}\n'],
    ['{"mcpServers":{"other":{"url":"x"}},"b":[1,2,]}', U, '{"mcpServers":{"other":{"url":"x"},"exploration": {"url":"u"}},"b":[1,2,]}'],
    ['', U, '{\n  "mcpServers": {\n    "exploration": {\n      "url": "u"\n    }\n  }\n}\n']
  ],
  toml: [['[mcp_servers.other] # here\nurl = "x" # there\n# and under it\n\n\n[z]\n', ENTRY,
    '[mcp_servers.other] # here\nurl = "x" # there\n# and under it\n\n[mcp_servers.exploration]\nurl = "http://127.0.0.1:8080/mcp"\n' +
    'http_headers = { Authorization = "Bearer \\"x\\"" }\n\n\n[z]\n']],
  yaml: [
    ['\uFEFFa: 1\r\nextensions:\r\n    dev:\r\n        x: 1\r\n', { uri: 'http://x', headers: { a: 'yes' } },
      '\uFEFFa: 1\r\nextensions:\r\n    dev:\r\n        x: 1\r\n    exploration:\r\n        uri: "http://x"\r\n        headers:\r\n            a: "yes"\r\n'],
    ['a: 1\nextensions: {} # none\nb: 1\n', { timeout: 1 }, 'a: 1\nextensions: # none\n  exploration:\n    timeout: 1\nb: 1\n']
  ]
}

const REFUSED: Record<Format, Array<[file: string, reason: RegExp]>> = {
  json: [
    ['{"a": }', /line 1: value expected/], ['{\n"a": 1\n"b": 2}', /line 3/], ['[]', /The file is a list where an object is expected/],
    ['{"mcpServers": []}', /mcpServers is a list/], ['{"mcpServers": null}', /mcpServers is a null/],
    ['{"mcpServers": {}, "mcpServers": {}}', /mcpServers stands there 2 times/],
    ['{"mcpServers": {"exploration": 1, "exploration": 2}}', /mcpServers.exploration stands there 2 times/],
    ['// only a comment', /comments but no value/], ['{} {}', /line 1/], ['['.repeat(100_000), /nested too deeply|line 1/], ['"text"', /The file is a string/]
  ],
  toml: [
    ['a = \n', /line 1: /], ['a = "secret\n', /^(?!.*secret)/], ['[a]\n[a]\n', /line 2: /], ['mcp_servers = 1\n', /mcp_servers is not a table/],
    ['mcp_servers = { other = { url = "x" } }\n', /cannot be changed here with certainty/],
    ['mcp_servers.exploration.url = "x"\n', /not written as a table of its own/],
    ['[mcp_servers]\nexploration = { url = "x" }\n', /not written as a table of its own/],
    [`a = [\n${'[1],\n'.repeat(2_000)}]\n`, /a value of too many lines/]
  ],
  yaml: [
    ['a: "\n', /line \d: /], ['a: 1\na: 2\n', /line 2: duplicate key/], ['a: 1\n---\nb: 1\n', /more than one document/], ['- a\n', /The file is not a map/],
    ['extensions: [a]\n', /extensions is not a map/], ['extensions: { dev: {} }\n', /in brackets/],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]\n`, /line 1: /]
  ]
}

for (const format of ['json', 'toml', 'yaml'] as const) {
  const path = PATHS[format]
  t.test(`${format}: it goes where a hand would put it`, async (t) => {
    for (const [before, entry, after] of PLACES[format]) t.equal(put(format, before, path, entry).text, after)
  })
  t.test(`${format}: what cannot be changed with certainty is refused`, async (t) => {
    for (const [file, message] of REFUSED[format]) t.throws(() => put(format, file, path, ENTRY), { name: 'Refusal', message }, file.slice(0, 40))
  })
}

t.test('what came in between stays', async (t) => {
  const { text, trace } = put('json', '{}\n', PATHS.json, U)
  const later = put('json', put('json', text, ['mcpServers', 'later'], {}).text, ['theme'], 'dark').text
  t.equal(take('json', later, PATHS.json, trace), '{\n  "mcpServers": {\n    "later": {}\n  },\n  "theme": "dark"\n}\n')

  const yaml = put('yaml', '', PATHS.yaml, ENTRY)
  const left = (added: string) => take('yaml', yaml.text + added, PATHS.yaml, yaml.trace)
  t.equal(left('# mine\nGOOSE_MODEL: x\n'), '# mine\nGOOSE_MODEL: x\n')
  t.equal(left('  other:\n    x: 1\n'), 'extensions:\n  other:\n    x: 1\n')
  t.match(left('# mine\n'), /# mine/)
})

t.test('JSON: elements of lists are known by their id', async (t) => {
  const path = ['inputs', { id: 'token' }]
  for (const before of ['{}', '{"inputs": []}', '{\n  "inputs": [\n    { "id": "a" }, // x\n  ]\n}', '{"inputs":[{"id":"a"},7]}']) {
    const { text, trace } = put('json', before, path, { id: 'token', type: 'promptString' })
    t.equal(put('json', text, path, { id: 'token', type: 'promptString' }).text, text)
    t.equal(take('json', text, path, trace), before)
  }
})

t.test('TOML: tables that the agent made inside ours go with it, and stay when it is renewed', async (t) => {
  const { text, trace } = put('toml', 'a = 1\n', PATHS.toml, ENTRY)
  const later = `${text}\n[mcp_servers.exploration.tools.ping]\napproval_mode = "approve"\n\n[z]\nb = 1\n`
  t.equal(take('toml', later, PATHS.toml, trace), 'a = 1\n\n[z]\nb = 1\n')
  const tools = { tools: { ping: { approval_mode: 'approve' } } }
  const renewed = put('toml', later, PATHS.toml, { url: 'u', ...tools }).text
  t.ok(same(at(readTree('toml', renewed), PATHS.toml), treeOf({ url: 'u', ...tools })))
  t.match(renewed, /\n\[z\]\nb = 1\n$/)
  const spread = 'a = 1\n\n[mcp_servers.exploration]\nurl = "u"\n\n[mcp_servers.exploration.http_headers]\nAuthorization = "old"\n'
  t.ok(same(at(readTree('toml', put('toml', spread, PATHS.toml, ENTRY).text), PATHS.toml), treeOf(ENTRY)))
})

t.test('a change is shown with what is around it, without anybody\'s secrets', async (t) => {
  const before = '{\n  "env": {\n    "GITHUB_TOKEN": "hunter2",\n    "args": ["sk-proj-abc123def456ghi789jkl"]\n  }\n}\n'
  const after = before.replace('  }\n}', '  },\n  "Authorization": "Bearer svc_pat_ABCDEFGH234567ABCDEFGH"\n}')
  t.equal(diffOf('/x/mcp.json', before, after, ['svc_pat_ABCDEFGH234567ABCDEFGH']), `--- /x/mcp.json
+++ /x/mcp.json
@@ -2,5 +2,6 @@
   "env": {
     "GITHUB_TOKEN": "…",
     "args": ["sk-p…"]
-  }
+  },
+  "Authorization": "Bearer svc_pat_ABCD…"
 }`)
  t.match(diffOf('/x', after, before, []), /^- {2}"Authorization": "…"$/m)
})

t.test('files that come and go, marks and line ends', async (t) => {
  t.equal(diffOf('/x', 'a\n', 'a\n', []), '')
  t.match(diffOf('/x', undefined, '\uFEFFa\r\n', []), /^--- \/dev\/null\n\+\+\+ \/x\n@@ .*\n\+a$/)
  t.match(diffOf('/x', 'a\n', undefined, []), /^--- \/x\n\+\+\+ \/dev\/null\n@@ .*\n-a$/)
})

t.test('a file on one line is no wall of text', async (t) => {
  const servers = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`server${index}`, { url: 'x'.repeat(300) }]))
  const diff = diffOf('/x', JSON.stringify(servers), JSON.stringify({ ...servers, exploration: { url: 'http://here/mcp' } }), [])
  t.match(diff, /^\+"exploration":\{$/m)
  t.ok(diff.length < 2000, `${diff.length} characters`)
})

t.test('what is called like a secret, in each format', async (t) => {
  t.equal(mask('api_key = "x" # note'), 'api_key = "…" # note')
  t.equal(mask('password: hunter2'), 'password: …')
  t.equal(mask("auth-token: 'a b'"), "auth-token: '…'")
  for (const line of ['"authorization": {', '"url": "http://127.0.0.1:8080/mcp"', '"oauth": false', 'bearer_token_env_var = "TOKEN"', '"Authorization": "Bearer ${env:TOKEN}"', 'Authorization: "Bearer {file:~/t}"']) {
    t.equal(mask(line), line)
  }
  t.equal(mask('x svc_pat_ABCDEFGH y', ['svc_pat_ABCDEFGH']), 'x svc_pat_ABCD… y')
})
