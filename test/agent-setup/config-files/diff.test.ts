/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import t from 'tap'
import { diffOf, mask } from '../../../src/agent-setup/config-files/diff.js'

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
  t.equal(mask('"authorization": {'), '"authorization": {')
  t.equal(mask('"url": "http://127.0.0.1:8080/mcp"'), '"url": "http://127.0.0.1:8080/mcp"')
  for (const line of ['"oauth": false', 'bearer_token_env_var = "TOKEN"', '"Authorization": "Bearer ${env:TOKEN}"', 'Authorization: "Bearer {file:~/t}"']) {
    t.equal(mask(line), line)
  }
  t.equal(mask('x svc_pat_ABCDEFGH y', ['svc_pat_ABCDEFGH']), 'x svc_pat_ABCD… y')
})
