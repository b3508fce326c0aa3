/** Skills over MCP (SEP-2640): what is listed is what is served, in 2026-07-28 alone, and nothing outside of the folder is read. */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { forbidden, type McpPluginOptions } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'
import { initialize, modern as modernCall, post, speaker, type Rpc } from '../helpers/build.js'
import { resource, serveApp, type Options } from './serve.js'

const EXTENSION = 'io.modelcontextprotocol/skills'
const skillMd = (name: string, more = ''): string => `---\nname: ${name}\ndescription: Shows how ${name} works.\n${more}---\n\n# ${name}\n`

const top = t.testdir()
let folders = 0
/** Makes a folder of files, by path. */
const folder = (files: Record<string, string | Buffer>): string => {
  const root = join(top, `${++folders}`)
  mkdirSync(root)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

const serve = (t: Test, skills: McpPluginOptions['skills'], options: Options = {}): Promise<FastifyInstance> => serveApp(t, { skills, ...options })

type Any = Rpc['result']
const modern = async (app: FastifyInstance, method: string, params: Record<string, unknown> = {}): Promise<Rpc> =>
  (await modernCall(app, undefined, method, params)).body
const result = async (app: FastifyInstance, method: string, params: Record<string, unknown> = {}): Promise<Any> =>
  (await modern(app, method, params)).result

const FILES = {
  'pdf/SKILL.md': skillMd('pdf', 'license: MIT\nmetadata:\n  version: "2.1"\n  since: 2026-09-01\nallowed-tools: []\n'),
  'pdf/references/FORMS.md': '\uFEFFZero\u200Bwidth and a mark\r\n',
  'pdf/assets/a b#?%.bin': Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  'pdf/.env': 'SECRET=1',
  'acme/billing/refunds/SKILL.md': skillMd('refunds'),
  'acme/billing/refunds/inner/SKILL.md': skillMd('inner'),
  'acme/billing/refunds/inner/steps.md': 'One.',
  'README.md': 'Of no skill.'
}

const app = await serve(t, [folder(FILES)], { dataNote: { 'x/note': 'of records' } })

t.test('the manifest has the digest and size of the very bytes that are served', async (t) => {
  meets('skill-manifest', 'skill-frontmatter', 'skill-nested', 'skill-cacheable')
  const { skills, ttlMs, cacheScope, resultType } = await result(app, 'skills/list')
  t.match({ ttlMs, cacheScope, resultType }, { ttlMs: 300_000, cacheScope: 'public', resultType: 'complete' })
  t.strictSame(skills.map((skill: Any) => [skill.uri, skill.resources.map(({ uri }: Any) => uri)]), [
    ['skill://acme/billing/refunds/SKILL.md', [
      'skill://acme/billing/refunds/SKILL.md', 'skill://acme/billing/refunds/inner/SKILL.md', 'skill://acme/billing/refunds/inner/steps.md'
    ]],
    ['skill://acme/billing/refunds/inner/SKILL.md', ['skill://acme/billing/refunds/inner/SKILL.md', 'skill://acme/billing/refunds/inner/steps.md']],
    ['skill://pdf/SKILL.md', ['skill://pdf/SKILL.md', 'skill://pdf/assets/a%20b%23%3F%25.bin', 'skill://pdf/references/FORMS.md']]
  ])
  t.strictSame(skills[2].frontmatter, {
    name: 'pdf', description: 'Shows how pdf works.', license: 'MIT', metadata: { version: '2.1', since: '2026-09-01' }, 'allowed-tools': []
  })
  for (const { uri, digest, size } of skills.flatMap(({ resources }: Any) => resources)) {
    const read = await result(app, 'resources/read', { uri })
    const [{ text, blob, mimeType, _meta: note }] = read.contents
    const bytes = text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text)
    t.equal(bytes.length, size, uri)
    t.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest, uri)
    t.equal(mimeType, uri.endsWith('.md') ? 'text/markdown' : 'application/octet-stream')
    t.equal(note, undefined, 'no note about records')
    t.equal(read.cacheScope, 'public')
  }
  for (const skill of skills) {
    t.match(await result(app, 'skills/get', { uri: skill.uri }), { skill, ttlMs: 300_000, cacheScope: 'public', resultType: 'complete' })
  }
})

t.test('directories', async (t) => {
  meets('skill-directory')
  const children = async (uri: string) => (await result(app, 'resources/directory/read', { uri })).resources
  t.strictSame(await children('skill://pdf'), [
    { uri: 'skill://pdf/assets', name: 'assets', mimeType: 'inode/directory' },
    { uri: 'skill://pdf/references', name: 'references', mimeType: 'inode/directory' },
    { uri: 'skill://pdf/SKILL.md', name: 'pdf', description: 'Shows how pdf works.', mimeType: 'text/markdown' }
  ])
  t.strictSame((await children('skill://acme')).map(({ uri }: Any) => uri), ['skill://acme/billing'])
  t.strictSame((await children('skill://pdf/assets')).map(({ name }: Any) => name), ['a b#?%.bin'])
})

t.test('what is not there is answered −32602', async (t) => {
  meets('skill-unknown')
  for (const [method, uri] of [
    ['skills/get', 'skill://nothing/SKILL.md'], ['skills/get', 'skill://pdf'], ['skills/get', 'skill://pdf/references/FORMS.md'],
    ['resources/directory/read', 'skill://pdf/SKILL.md'], ['resources/directory/read', 'skill://pdf/'], ['resources/directory/read', 'skill://'],
    ['resources/read', 'skill://pdf/../pdf/SKILL.md'], ['resources/read', 'skill://pdf/%2e%2e/README.md'], ['resources/read', 'skill://pdf/.env'],
    ['resources/read', 'skill://README.md'], ['resources/read', 'skill://pdf/nothing.md']
  ] as const) t.equal((await modern(app, method, { uri })).error?.code, -32602, `${method} ${uri}`)
  for (const params of [{}, { uri: 7 }, { uri: '' }]) {
    t.equal((await modern(app, 'skills/get', params)).error?.code, -32602)
    t.equal((await modern(app, 'resources/directory/read', params)).error?.code, -32602)
  }
  t.equal((await modern(app, 'skills/list', { cursor: 'x' })).error?.code, -32602)
  t.equal((await modern(app, 'resources/directory/read', { uri: 'skill://pdf', cursor: 'x' })).error?.code, -32602)
})

t.test('declared in 2026-07-28 alone; the files are ordinary resources in every revision', async (t) => {
  meets('skill-declared')
  const { capabilities } = await result(app, 'server/discover')
  t.strictSame(capabilities.extensions, { [EXTENSION]: { directoryRead: true } })
  t.ok(capabilities.resources)
  t.equal((await post(app, undefined, initialize())).body.result.capabilities.extensions, undefined)
  const ask = await speaker(app, undefined, '2025-11-25')
  for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
    t.equal((await ask(method, { uri: 'skill://pdf/SKILL.md' })).body.error.code, -32601, method)
  }
  t.match((await ask('resources/read', { uri: 'skill://pdf/SKILL.md' })).body.result.contents, [{ text: FILES['pdf/SKILL.md'] }])
  const { resources } = (await ask('resources/list')).body.result
  t.match(resources.find(({ uri }: Any) => uri === 'skill://pdf/SKILL.md'), {
    name: 'pdf', description: 'Shows how pdf works.', mimeType: 'text/markdown'
  })

  const without = await serve(t, undefined)
  t.equal((await modern(without, 'skills/list')).error.code, -32601)
  t.equal((await result(without, 'server/discover')).capabilities.extensions, undefined)
})

t.test('listed: false keeps the files out of resources/list, and they are served all the same', async (t) => {
  const note = resource('x://note')
  const folders = [folder(FILES)]
  const unlisted = await serve(t, { folders, listed: false }, { resources: [note] })
  const none = await serve(t, undefined, { resources: [note] })
  t.strictSame(await result(unlisted, 'resources/list'), await result(none, 'resources/list'))
  t.strictSame((await result(app, 'resources/list')).resources.length, 6)
  t.equal((await result(unlisted, 'skills/list')).skills.length, 3)
  t.match((await result(unlisted, 'resources/read', { uri: 'skill://pdf/SKILL.md' })).contents, [{ mimeType: 'text/markdown' }])
  t.match((await result(unlisted, 'resources/read', { uri: 'x://note' })).contents, [{ text: 'A text.' }])
})

t.test('the hook is put around each method with the URI, and hides entries', async (t) => {
  const seen: string[] = []
  const app = await serve(t, [folder(FILES)], {
    around: async ({ method, name }, next) => {
      seen.push(`${method} ${name}`)
      if (name === 'skill://pdf/SKILL.md') throw forbidden('Not you.', 'Ask.')
      return await next()
    }
  })
  const listing = await result(app, 'skills/list')
  t.strictSame([listing.skills.length, listing.cacheScope], [2, 'private'])
  t.equal((await modern(app, 'skills/get', { uri: 'skill://pdf/SKILL.md' })).error.code, 403)
  const children = (await result(app, 'resources/directory/read', { uri: 'skill://pdf' })).resources.map(({ uri }: Any) => uri)
  t.notOk(children.includes('skill://pdf/SKILL.md'))
  const shown = [...children, 'skill://pdf/SKILL.md'].map((uri) => `resources/directory/read ${uri}`)
  t.strictSame(seen.filter((one) => one.startsWith('resources/')).sort(), ['resources/directory/read skill://pdf', ...shown].sort())
  t.strictSame(seen.filter((one) => one.startsWith('skills/')).sort(), [
    'skills/get skill://pdf/SKILL.md', 'skills/list skill://acme/billing/refunds/SKILL.md',
    'skills/list skill://acme/billing/refunds/inner/SKILL.md', 'skills/list skill://pdf/SKILL.md', 'skills/list undefined'
  ])
})

t.test('many skills come on one page', async (t) => {
  const names = Array.from({ length: 120 }, (_, index) => `skill-${String(index).padStart(3, '0')}`)
  const app = await serve(t, [folder(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])))])
  const uris = async (method: string, field: string): Promise<string[]> => (await result(app, method))[field].map(({ uri }: Any) => uri)
  t.strictSame(await uris('skills/list', 'skills'), names.map((name) => `skill://${name}/SKILL.md`))
  t.equal(new Set(await uris('resources/list', 'resources')).size, 120)
})

t.test('a folder that is a skill itself may have any name', async (t) => {
  const app = await serve(t, [folder({ 'SKILL.md': skillMd('alone'), 'more.md': 'More.' })])
  t.strictSame((await result(app, 'skills/list')).skills.map(({ uri }: Any) => uri), ['skill://alone/SKILL.md'])
  t.match((await result(app, 'resources/read', { uri: 'skill://alone/more.md' })).contents, [{ text: 'More.' }])
})

t.test('what is not served', async (t) => {
  meets('skill-limits', 'skill-format')
  const refused = (root: string, message: RegExp, name = String(message)) => t.rejects(serve(t, [root]), { message }, name)
  const outside = folder({ 'secret.md': 'secret' })
  for (const [target, files, link] of [
    ['secret.md', { 'SKILL.md': skillMd('x') }, 'linked.md'], ['', { 'SKILL.md': skillMd('x') }, 'linked'], ['secret.md', { 'x/more.md': '' }, 'x/SKILL.md']
  ] as const) {
    const root = folder(files)
    symlinkSync(join(outside, target), join(root, link))
    await refused(root, new RegExp(`${basename(link)} is a link`))
  }
  for (const [name, files, message] of [
    ['no SKILL.md', { 'README.md': '' }, /no SKILL\.md/],
    ['no front matter', { 'SKILL.md': '# x' }, /begins with no front matter/],
    ['no description', { 'SKILL.md': '---\nname: x\n---\n' }, /its description/],
    ['a name with capitals', { 'SKILL.md': skillMd('Pdf') }, /its name/],
    ['a name with two hyphens', { 'SKILL.md': skillMd('a--b') }, /its name/],
    ['malformed YAML', { 'SKILL.md': '---\nname: [x\n---\n' }, /SKILL\.md/],
    ['a number that JSON does not have', { 'SKILL.md': skillMd('x', 'n: .nan\n') }, /JSON/],
    ['a name that is not the folder\'s', { 'y/SKILL.md': skillMd('x') }, /the name is x, and its folder is y/]
  ] as const) await refused(folder(files), message, name)
  await refused('/nowhere/skills', /ENOENT/)
  const twice = folder({ 'SKILL.md': skillMd('x') })
  await t.rejects(serve(t, [twice, twice]), { message: /has skill:\/\/x\/SKILL\.md already/ })

  const most = 16 * 1024 * 1024
  const small = Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}.md`, 'x']))
  const full = folder({ 'SKILL.md': skillMd('x'), ...small, 'big.bin': '' })
  truncateSync(join(full, 'big.bin'), most - skillMd('x').length - 510)
  const [{ resources }] = (await result(await serve(t, [full]), 'skills/list')).skills
  t.equal(resources.length, 512, 'at the limits all is well')
  t.equal(resources.reduce((sum: number, one: Any) => sum + one.size, 0), most)
  appendFileSync(join(full, 'f0.md'), 'x')
  await refused(full, /more than 16 MiB/)
  truncateSync(join(full, 'big.bin'), 0)
  writeFileSync(join(full, 'more.md'), 'x')
  await refused(full, /more than 512 files/)
})
