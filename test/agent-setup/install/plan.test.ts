import {
  chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import type { SecretReference } from '../../../src/agent-setup/registry/agent.js'
import { apply } from '../../../src/agent-setup/install/apply.js'
import { fileSystem, type Host } from '../../../src/agent-setup/file-system.js'
import { planRegistration, planRemoval } from '../../../src/agent-setup/install/plan.js'
import type { Registration } from '../../../src/agent-setup/install/edit-entry.js'
import { agents } from '../../../src/agent-setup/registry/known-agents.js'

const TOKEN = 'svc_pat_ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const token: SecretReference = { kind: 'token', value: TOKEN }
const WANTED = { name: 'exploration', url: 'http://127.0.0.1:8080/mcp', scope: 'user', secret: token } as const
const agent = (id: string) => agents.find((agent) => agent.id === id)!
const cursor = agent('cursor')

const machine = (t: Test): Host => ({ platform: 'linux', home: t.testdir(), env: {}, fileSystem })
const file = ({ home }: Host) => join(home, '.cursor/mcp.json')
const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}
const init = async (host: Host, wanted: Parameters<typeof planRegistration>[1] = WANTED, earlier?: Registration) =>
  await apply(await planRegistration(cursor, wanted, host, earlier), host.fileSystem)
const uninstall = async (host: Host, { registration }: { registration?: Registration }) =>
  await apply(await planRemoval(cursor, registration!, host), host.fileSystem)

t.test('an empty file is empty again; a file made for it that others use by now stays', async (t) => {
  const here = machine(t)
  write(file(here), '')
  await uninstall(here, await init(here))
  t.equal(readFileSync(file(here), 'utf8'), '')
  const there: Host = { ...here, home: join(here.home, 'other') }
  const applied = await init(there)
  write(file(there), readFileSync(file(there), 'utf8').replace('"mcpServers": {', '"mcpServers": {\n    "theirs": {},'))
  await uninstall(there, applied)
  t.strictSame(JSON.parse(readFileSync(file(there), 'utf8')), { mcpServers: { theirs: {} } })
})

t.test('a new token takes the place of the old one, and the way back is still known', async (t) => {
  const here = machine(t)
  write(file(here), '{}')
  const first = await init(here)
  const second = await init(here, { ...WANTED, secret: { kind: 'token', value: 'svc_pat_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' } }, first.registration)
  t.match(readFileSync(file(here), 'utf8'), 'Bearer svc_pat_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB')
  t.equal(second.backup, undefined, 'the backup from before has all of it but our entry')
  write(file(here), readFileSync(file(here), 'utf8').replace('"mcpServers"', '"theirs": 1,\n  "mcpServers"'))
  const third = await init(here, { ...WANTED, secret: { kind: 'token', value: 'svc_pat_CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC' } }, second.registration)
  t.equal(third.registration!.backups.length, 2, 'what someone wrote since is backed up too')
  write(file(here), readFileSync(file(here), 'utf8').replace('"theirs": 1,\n  ', ''))
  await uninstall(here, third)
  t.equal(readFileSync(file(here), 'utf8'), '{}')
  t.strictSame(readdirSync(dirname(file(here))), ['mcp.json', 'mcp.json.exploration-mcp.2.bak'], 'which has what is not in the file')
})

t.test('what is not wanted any more goes when the entry is renewed', async (t) => {
  const here = machine(t)
  const vscode = agent('vscode')
  const path = join(here.home, '.config/Code/User/mcp.json')
  const before = '{ "servers": {} }'
  write(path, before)
  const prompted = { ...WANTED, secret: { kind: 'prompt', value: 'ask' } } as const
  const first = await apply(await planRegistration(vscode, prompted, here), here.fileSystem)
  t.match(readFileSync(path, 'utf8'), /"inputs"/)
  const second = await apply(await planRegistration(vscode, WANTED, here, first.registration), here.fileSystem)
  t.notMatch(readFileSync(path, 'utf8'), /"inputs"/)
  const renamed = await planRegistration(vscode, { ...WANTED, name: 'planning' }, here, second.registration)
  const third = await apply(renamed, here.fileSystem)
  t.strictSame(Object.keys(JSON.parse(readFileSync(path, 'utf8')).servers), ['planning'])
  await apply(await planRemoval(vscode, third.registration!, here), here.fileSystem)
  t.equal(readFileSync(path, 'utf8'), before)
})

t.test('a file that was made stays ours when the entry gets another name', async (t) => {
  const here = machine(t)
  const first = await init(here)
  await uninstall(here, await init(here, { ...WANTED, name: 'planning' }, first.registration))
  t.strictSame(readdirSync(here.home), [])
})

t.test('an entry that someone took out is put in as into a file that never had it', async (t) => {
  const here = machine(t)
  const first = await init(here)
  write(file(here), '{ "mcpServers": {} }')
  const second = await init(here, WANTED, first.registration)
  await uninstall(here, second)
  t.equal(readFileSync(file(here), 'utf8'), '{ "mcpServers": {} }')
})

t.test('links are followed, also to what is not there yet', async (t) => {
  const here = machine(t)
  mkdirSync(join(here.home, '.cursor'))
  const target = join(here.home, 'dotfiles/mcp.json')
  write(target, '{ "a": 1 }\n', 0o640)
  symlinkSync('../dotfiles/mcp.json', file(here))
  const applied = await init(here)
  t.ok(lstatSync(file(here)).isSymbolicLink())
  t.match(readFileSync(target, 'utf8'), WANTED.url)
  t.equal(statSync(target).mode & 0o777, 0o600)
  await uninstall(here, applied)
  t.equal(statSync(target).mode & 0o777, 0o640)
  t.equal(readFileSync(target, 'utf8'), '{ "a": 1 }\n')

  const there: Host = { ...here, home: join(here.home, 'dangling') }
  mkdirSync(join(there.home, '.cursor'), { recursive: true })
  symlinkSync('../nowhere/mcp.json', file(there))
  const made = await init(there)
  t.ok(lstatSync(file(there)).isSymbolicLink())
  await uninstall(there, made)
  t.strictSame(readdirSync(there.home), ['.cursor'])
})

t.test('a problem says what to put there by hand', async (t) => {
  const here = machine(t)
  const problem = async (text: string | Buffer, mode = 0o644) => {
    here.home = join(here.home, 'x')
    mkdirSync(dirname(file(here)), { recursive: true })
    writeFileSync(file(here), text)
    chmodSync(file(here), mode)
    const { problem, diff, after, before } = await planRegistration(cursor, WANTED, here)
    t.equal(after, before)
    t.equal(diff, '')
    t.match(problem?.snippet, /"mcpServers": \{\n {4}"exploration"/)
    return problem
  }
  t.match(await problem('{}', 0o444), { message: /read-only/ })
  t.match(await problem('{"a": 1,,}'), { message: /line 1: / })
  t.match(await problem('{"mcpServers": {}, "mcpServers": {}}'), { message: /2 times/ })
  t.match(await problem(Buffer.from([0x7b, 0xff, 0x7d])), { message: /not UTF-8/ })
  t.match(await problem(' '.repeat(17 * 1024 * 1024)), { message: /bytes, more than/ })
  here.home = join(here.home, 'y')
  mkdirSync(file(here), { recursive: true })
  t.match((await planRegistration(cursor, WANTED, here)).problem, { message: /not a file/ })
})

t.test('what changed between showing and doing is not written over', async (t) => {
  const here = machine(t)
  write(file(here), '{}')
  const plan = await planRegistration(cursor, WANTED, here)
  write(file(here), '{"new": 1}')
  await t.rejects(apply(plan, here.fileSystem), { name: 'Refusal', message: /changed in the meantime/ })
  t.equal(readFileSync(file(here), 'utf8'), '{"new": 1}')
})

t.test('a disk that fails leaves the file as it was', async (t) => {
  const here = machine(t)
  write(file(here), '{ "mine": 1 }')
  const plan = await planRegistration(cursor, WANTED, here)
  const full = async () => { throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) }
  await t.rejects(apply(plan, { ...here.fileSystem, create: full }), { code: 'ENOSPC' })
  await t.rejects(apply(plan, { ...here.fileSystem, replace: full }), { code: 'ENOSPC' })
  t.equal(readFileSync(file(here), 'utf8'), '{ "mine": 1 }')
  t.equal((await apply(plan, here.fileSystem)).backup, `${file(here)}.exploration-mcp.bak`, 'the backup that is there says the same')
})

t.test('a link of a project that leads out of it is not followed', async (t) => {
  const here = machine(t)
  const projectFolder = join(here.home, 'project')
  const wanted = { ...WANTED, scope: 'project', projectFolder, secret: { kind: 'variable', value: 'X' } } as const
  write(join(here.home, 'settings.json'), '{}')
  mkdirSync(projectFolder)
  symlinkSync('..', join(projectFolder, '.cursor'))
  t.match(await planRegistration(cursor, wanted, here), { problem: { message: /leads out of the project/ }, diff: '' })
  const other = { ...wanted, projectFolder: join(here.home, 'other') }
  write(join(other.projectFolder, 'kept/mcp.json'), '{}')
  symlinkSync('kept', join(other.projectFolder, '.cursor'))
  t.equal((await planRegistration(cursor, other, here)).problem, undefined, 'one within it is')
})

t.test('an older backup that says something else is not written over', async (t) => {
  const here = machine(t)
  write(file(here), '{}')
  write(`${file(here)}.exploration-mcp.bak`, 'older')
  const { backup } = await init(here)
  t.equal(backup, `${file(here)}.exploration-mcp.2.bak`)
  t.equal(readFileSync(`${file(here)}.exploration-mcp.bak`, 'utf8'), 'older')
})
