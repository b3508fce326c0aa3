// Any valid file survives: what was put in and taken out again leaves every byte as it was, whatever is around it.
import fc from 'fast-check'
import t from 'tap'
import { put, readTree, take } from '../../../src/agent-setup/config-files/edit.js'
import { at, same, treeOf } from '../../../src/agent-setup/config-files/tree.js'
import type { Format } from '../../../src/agent-setup/registry/agent.js'
import { runs } from '../../helpers/fuzzing.js'

const ENTRY = {
  url: 'https://planning.example/mcp', headers: { Authorization: 'Bearer "x" \\ ü' }, enabled: true, tools: ['*']
}
const RENEWED = { ...ENTRY, headers: { Authorization: 'Bearer y' } }

const survives = (format: Format, path: string[], before: string) => {
  const { text, trace } = put(format, before, path, ENTRY)
  if (!same(at(readTree(format, text), path), treeOf(ENTRY))) throw new Error('not what was put in')
  if (put(format, text, path, ENTRY).text !== text) throw new Error('not idempotent')
  if (take(format, text, path, trace) !== before) throw new Error('not as it was')
  if (take(format, before, path, trace) !== before) throw new Error('not there, and taken out')
  if (take(format, put(format, text, path, RENEWED).text, path, trace) !== before) throw new Error('not as it was, once renewed')
  // What another program puts beside ours stays, when ours goes first and when it goes last.
  const neighbour = [...path.slice(0, -1), 'neighbour']
  const both = put(format, text, neighbour, { url: 'u' })
  const alone = take(format, both.text, path, trace)
  if (!same(at(readTree(format, alone), neighbour), treeOf({ url: 'u' }))) throw new Error('a neighbour was lost')
  if (take(format, both.text, neighbour, both.trace) !== text) throw new Error('a neighbour left something behind')
}

const FILES: Record<Format, { path: string[], files: Record<string, string> }> = {
  json: {
    path: ['mcpServers', 'exploration'],
    files: {
      'nothing at all': '',
      'an empty object': '{}',
      'no servers yet': '{\n  "theme": "dark"\n}\n',
      'an empty map of servers': '{\n  "mcpServers": {},\n  "theme": "dark"\n}',
      'servers of others': '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n',
      'comments, trailing commas': '// mine\n{\n  "mcpServers": {\n    "other": { "a": 1 }, // why\n    // "off": {},\n  }, /* end */\n}\n',
      'a comment after the last value': '{\n  "mcpServers": {\n    "other": {} // why\n    /* and */\n  }\n}\n',
      'nothing but comments inside': '{ "mcpServers": { /* none yet */ }, "b": 1 // c\n}',
      tabs: '{\n\t"a": [\n\t\t1\n\t]\n}\n',
      'CRLF and a byte order mark': '\uFEFF{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
      'one line': '{"mcpServers":{"other":{"url":"x"}},"b":[1,2,]}',
      'odd white space': '{\n\n"a"\n:\n1\n,\n\n   "mcpServers"   :{\n"z":{}\n  ,\n"y":[]}}   ',
      'names of the language itself': '{"__proto__": {"mcpServers": 1}, "constructor": {}, "toString": "x"}'
    }
  },
  toml: {
    path: ['mcp_servers', 'exploration'],
    files: {
      'nothing at all': '',
      'white space': '\n \n',
      'a real one': '# mine\nmodel = "gpt"   # the best\n\n[mcp_servers.other]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "[x]",\n]\n' +
        '\n# of the next\n[mcp_servers.other.env]\nKEY = \'#1\'\n\n[projects."/home/me"]\ntrust_level = "trusted"\n',
      'comments at the end': 'model = "gpt"\n# [mcp_servers.exploration]\n# url = "off"\n\n',
      CRLF: '\uFEFFmodel = "gpt"\r\n\r\n[a]\r\nb = 1\r\n',
      'texts over several lines': 'a = """\n[mcp_servers.exploration]\nb = "\\""""\nc = \'\'\'\n[x]\'\'\'\n[mcp_servers]\nd = { e = "}" }\n',
      'dates and large numbers': 'd = 1979-05-27T07:32:00Z\nn = 9223372036854775807\nf = inf\n',
      'odd keys': '["a.b"."c]"]\n"d=e" = 1\n[__proto__]\nconstructor = 1\n',
      'lists of tables': '[[a]]\nb = 1\n[[a]]\n[a.mcp_servers.exploration]\nurl = ""\n',
      'a comment on the next': '[mcp_servers.other]\nurl = "x"\n# on z\n[z]\n',
      'an older comment on the line': '[mcp_servers.other] # here\nurl = "x" # there\n# and under it\n\n\n[z]\n'
    }
  },
  yaml: {
    path: ['extensions', 'exploration'],
    files: {
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
  }
}

for (const format of ['json', 'toml', 'yaml'] as const) {
  const { path, files } = FILES[format]
  for (const [what, file] of Object.entries(files)) t.test(`${format}, ${what}`, async () => { survives(format, path, file) })
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const maybe = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text)
const name = fc.oneof(oneOf('a', 'b', '__proto__', 'constructor', 'toString', 'exploration2', ''), fc.string({ maxLength: 6 }))
const lineEnds = (text: fc.Arbitrary<string>) => fc.tuple(text, fc.boolean(), fc.boolean())
  .map(([text, windows, marked]) => (marked ? '\uFEFF' : '') + (windows ? text.replaceAll(/\r?\n/g, '\r\n') : text))

const comment = oneOf('// one { " ,\n', '/* two } */', '/* three\n , ] */', '//\n')
const gap = fc.array(fc.oneof(oneOf(' ', '\n', '\t', '  ', '\n    '), comment), { maxLength: 3 })
  .map((parts) => parts.join(''))

const unique = <T>(pairs: Array<[string, T]>, not: string[] = []) =>
  [...new Map(pairs.map((pair) => [pair[0], pair] as const)).values()].filter(([key]) => !not.includes(key))

const object = (pairs: Array<[string, string]>, gaps: string[], trailing: boolean) => {
  const around = (index: number) => gaps[index % Math.max(gaps.length, 1)] ?? ''
  const items = pairs.map(([key, value], index) =>
    `${around(index)}${JSON.stringify(key)}${around(index + 1)}:${around(index + 2)}${value}${around(index + 3)}`)
  return `{${items.join(',')}${trailing && items.length > 0 ? ',' : ''}${around(5)}}`
}

const { value: jsonValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.json({ maxDepth: 0 }),
    fc.tuple(fc.array(tie('value'), { maxLength: 3 }), gap, fc.boolean())
      .map(([items, space, trailing]) => `[${space}${items.join(`,${space}`)}${trailing && items.length > 0 ? ',' : ''}${space}]`),
    fc.tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }), fc.array(gap, { maxLength: 6 }), fc.boolean())
      .map(([pairs, gaps, trailing]) => object(unique(pairs), gaps, trailing)))
}))

const jsonMap = (keep: string[]) => fc
  .tuple(fc.array(fc.tuple(name, jsonValue), { maxLength: 4 }), fc.array(gap, { maxLength: 6 }), fc.boolean())
  .map(([pairs, gaps, trailing]) => ({ pairs: unique(pairs, keep), gaps, trailing }))

const jsonFile = lineEnds(fc.tuple(jsonMap(['mcpServers']), fc.option(jsonMap(['exploration', 'neighbour'])), fc.nat(4), gap, gap)
  .map(([{ pairs, gaps, trailing }, servers, place, before, after]) => {
    if (servers) pairs.splice(place, 0, ['mcpServers', object(servers.pairs, servers.gaps, servers.trailing)])
    return before + object(pairs, gaps, trailing) + after
  }))

t.test('JSON with comments', async () => {
  fc.assert(fc.property(fc.oneof(jsonFile, lineEnds(oneOf('', ' ', '\n\n'))), (file) => survives('json', FILES.json.path, file)),
    runs(200))
})

const tomlValue = oneOf('1', '"# [a]"', "'''\n[mcp_servers.exploration]\n'''", '"""\nx = "\\""" # no\n"""', '[ 1, # one ]\n  2 ]', '{ a = "}" }', '1979-05-27',
  '[[1], ["]"]]', 'true', "'\\'", '"\\\\"', '""', '""""a"""')
const tomlGap = maybe(oneOf('\n', '# [x] = "\n', '\n\n  # about\n', ' \t\n'))
const tomlPairs = (from: string) => fc.array(fc.tuple(tomlGap, tomlValue, oneOf('', ' # on it', '  ')), { maxLength: 3 })
  .map((pairs) => pairs.map(([gap, value, behind], index) => `${gap}${from}${index} = ${value}${behind}\n`).join(''))
const tomlFile = lineEnds(fc.tuple(tomlPairs('a'), fc.array(fc.tuple(oneOf('mcp_servers.', 'projects."/x".', '"mcp_servers".', ' b . '), tomlGap, tomlPairs('k')),
  { maxLength: 4 }), tomlGap, fc.boolean())
  .map(([root, tables, end, cut]) => {
    const text = root + tables.map(([prefix, gap, pairs], index) => `${gap}[${prefix}t${index}]\n${pairs}`).join('') + end
    return cut ? text.replace(/\n$/, '') : text
  }))

t.test('TOML', async () => {
  fc.assert(fc.property(tomlFile, (file) => survives('toml', FILES.toml.path, file)), runs(200))
})

const yamlScalar = oneOf('1', 'plain text', '"a: # {"', "'it''s'", '|\n        one\n\n        two', '>-\n        one', '{ a: 1 }', '[a, b]', '', '"x" # on it', '&anchor z',
  'http://x/y#z')
const yamlGap = maybe(oneOf('\n', '# about: it\n', '\n  # inner\n'))
const yamlFile = lineEnds(fc.tuple(
  fc.array(fc.tuple(yamlGap, yamlScalar), { minLength: 1, maxLength: 3 }),
  oneOf('none', 'empty', '{}', '{} # said', 'map'),
  fc.array(fc.tuple(yamlGap, fc.array(yamlScalar, { minLength: 1, maxLength: 2 })), { minLength: 1, maxLength: 3 }),
  oneOf('  ', '    '), fc.array(yamlScalar, { maxLength: 2 }), maybe(oneOf('\n', '# end\n')), fc.boolean(), fc.boolean()
).map(([first, kind, entries, step, last, end, cut, marked]) => {
  const map = entries.map(([gap, fields], index) =>
    `${gap}${step}e${index}: # here\n${fields.map((value, field) => `${step}${step}f${field}: ${value}\n`).join('')}`).join('')
  const extensions = { none: '', empty: 'extensions:\n', '{}': 'extensions: {}\n', '{} # said': 'extensions: {} # said\n', map: `extensions:\n${map}` }[kind]
  const text = (marked ? '---\n' : '') + first.map(([gap, value], index) => `${gap}a${index}: ${value}\n`).join('') + extensions +
    last.map((value, index) => `z${index}: ${value.replace('anchor', 'other')}\n`).join('') + end
  return cut ? text.replace(/\n$/, '') : text
}).filter((text) => {
  try {
    return readTree('yaml', text) !== undefined
  } catch {
    return false
  }
}))

t.test('YAML', async () => {
  fc.assert(fc.property(yamlFile, (file) => survives('yaml', FILES.yaml.path, file)), runs(150))
})
