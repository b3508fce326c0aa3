import t from 'tap'
import { put, readTree, take } from '../../../src/agent-setup/config-files/edit.js'
import { at, same, treeOf } from '../../../src/agent-setup/config-files/tree.js'

const PATH = ['mcp_servers', 'exploration']
const ENTRY = { url: 'http://127.0.0.1:8080/mcp', http_headers: { Authorization: 'Bearer "x"' } }

const BEFORE: Record<string, string> = {
  'nothing at all': '',
  'white space': '\n \n',
  'a real one': '# mine\nmodel = "gpt"   # the best\n\n[mcp_servers.other]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "[x]",\n]\n' +
    '\n# of the next\n[mcp_servers.other.env]\nKEY = \'#1\'\n\n[projects."/home/me"]\ntrust_level = "trusted"\n',
  'no line end': 'model = "gpt"',
  'comments at the end': 'model = "gpt"\n# [mcp_servers.exploration]\n# url = "off"\n\n',
  CRLF: '\uFEFFmodel = "gpt"\r\n\r\n[a]\r\nb = 1\r\n',
  'texts over several lines': 'a = """\n[mcp_servers.exploration]\nb = "\\""""\nc = \'\'\'\n[x]\'\'\'\n[mcp_servers]\nd = { e = "}" }\n',
  'dates and large numbers': 'd = 1979-05-27T07:32:00Z\nn = 9223372036854775807\nf = inf\n',
  'odd keys': '["a.b"."c]"]\n"d=e" = 1\n[__proto__]\nconstructor = 1\n',
  'lists of tables': '[[a]]\nb = 1\n[[a]]\n[a.mcp_servers.exploration]\nurl = ""\n',
  'a comment on the next': '[mcp_servers.other]\nurl = "x"\n# on z\n[z]\n',
  'an older comment on the line': '[mcp_servers.other] # here\nurl = "x" # there\n# and under it\n\n\n[z]\n'
}

for (const [what, before] of Object.entries(BEFORE)) {
  t.test(`${what}: in, again, and out`, async (t) => {
    const { text, trace } = put('toml', before, PATH, ENTRY)
    t.ok(same(at(readTree('toml', text), PATH), treeOf(ENTRY)))
    t.equal(put('toml', text, PATH, ENTRY).text, text)
    t.equal(take('toml', text, PATH, trace), before)
    t.equal(take('toml', before, PATH, trace), before)
    t.equal(take('toml', put('toml', text, PATH, { ...ENTRY, url: 'https://other/' }).text, PATH, trace), before)
  })
}

t.test('it goes after its siblings, as a table of its own', async (t) => {
  t.equal(put('toml', BEFORE['an older comment on the line']!, PATH, ENTRY).text,
    '[mcp_servers.other] # here\nurl = "x" # there\n# and under it\n\n[mcp_servers.exploration]\nurl = "http://127.0.0.1:8080/mcp"\n' +
    'http_headers = { Authorization = "Bearer \\"x\\"" }\n\n\n[z]\n')
})

t.test('tables that the agent made inside ours go with it, and stay when it is renewed', async (t) => {
  const { text, trace } = put('toml', 'a = 1\n', PATH, ENTRY)
  const later = `${text}\n[mcp_servers.exploration.tools.ping]\napproval_mode = "approve"\n\n[z]\nb = 1\n`
  t.equal(take('toml', later, PATH, trace), 'a = 1\n\n[z]\nb = 1\n')
  const tools = { tools: { ping: { approval_mode: 'approve' } } }
  const renewed = put('toml', later, PATH, { url: 'u', ...tools }).text
  t.ok(same(at(readTree('toml', renewed), PATH), treeOf({ url: 'u', ...tools })))
  t.match(renewed, /\n\[z\]\nb = 1\n$/)
  const spread = 'a = 1\n\n[mcp_servers.exploration]\nurl = "u"\n\n[mcp_servers.exploration.http_headers]\nAuthorization = "old"\n'
  t.ok(same(at(readTree('toml', put('toml', spread, PATH, ENTRY).text), PATH), treeOf(ENTRY)))
})

t.test('what cannot be changed with certainty is refused', async (t) => {
  const refused = (text: string) => {
    try {
      return put('toml', text, PATH, ENTRY).text
    } catch (error) {
      return (error as Error).message
    }
  }
  t.match(refused('a = \n'), /line 1: /)
  t.notMatch(refused('a = "secret\n'), 'secret')
  t.match(refused('[a]\n[a]\n'), /line 2: /)
  t.match(refused('mcp_servers = 1\n'), /mcp_servers is not a table/)
  t.match(refused('mcp_servers = { other = { url = "x" } }\n'), /cannot be changed here with certainty/)
  t.match(refused('mcp_servers.exploration.url = "x"\n'), /not written as a table of its own/)
  t.match(refused('[mcp_servers]\nexploration = { url = "x" }\n'), /not written as a table of its own/)
})
