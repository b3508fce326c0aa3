// `serve --from --write` in a repository: an official client finds the next task, its report is in the file, and it hears of an edit.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MODERN, withBearer } from './official-clients.mjs'
import { startProduct } from './product.mjs'

const REAL = join(process.env.PLAN_FOLDERS ?? fileURLToPath(new URL('../../../shared/data/planning/', import.meta.url)), '/')

const TASKS = '# Tasks\n\n## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n- [ ] T003 Third (depends on T002)\n'

/** Real repositories where they are at hand: an exploration, the task that comes next, the line that says so and the same when it is done. */
const REPOSITORIES = [
  { real: undefined, title: 'Pay', next: 'T002', file: 'specs/001-pay/tasks.md', open: '- [ ] T002', done: '- [x] T002', then: 'T003' },
  { real: 'kiro/gotalab__cc-sdd', title: 'photo albums en', next: '1', file: '.kiro/specs/photo-albums-en/tasks.md', open: '- [ ] 1. ', done: '- [x] 1. ', then: '1.1' },
  { real: 'openspec/0x7067__agent-bridge-mcp', title: 'improve delegation output quality', file: 'openspec/changes/improve-delegation-output-quality/tasks.md', open: '- [ ]', done: '- [x]' },
  { real: 'backlog/AIToolsLab__writing-tools', title: 'Writing Tools', next: 'task-1', file: 'backlog/tasks/task-1 - Update-consent-form-placeholders.md', open: 'status: To Do', done: 'status: Done', then: 'task-2' }
]

/** The repository in a folder of its own, as someone has cloned it. */
const clone = async (folder, { real, file, title }) => {
  const repository = join(folder, title.replaceAll(' ', '-'))
  if (real === undefined) {
    await mkdir(join(repository, 'specs/001-pay'), { recursive: true })
    await writeFile(join(repository, 'specs/001-pay/spec.md'), '# Feature Specification: Pay\n')
    await writeFile(join(repository, file), TASKS)
  } else {
    await cp(REAL + real, repository, { recursive: true })
    execFileSync('chmod', ['-R', 'u+rwX', repository])
  }
  const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository, encoding: 'utf8' })
  git('init', '-q')
  git('add', '-Af')
  git('commit', '-qm', 'one')
  return { repository, git }
}

const skipped = (real) => real !== undefined && !existsSync(REAL) && 'the real folders are not here'

describe('plans of repositories', () => {
  const clones = new Map()
  let folder
  let product
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interop-plans-'))
    for (const one of REPOSITORIES) if (!skipped(one.real)) clones.set(one, await clone(folder, one))
    product = await startProduct('--write', '--from', ...[...clones.values()].map(({ repository }) => repository))
  })
  after(async () => {
    await product?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const one of REPOSITORIES) {
    const { real, title, next, file, open, done, then } = one
    test(real ?? 'a repository of our own', { skip: skipped(real) }, async (t) => {
      const { repository, git } = clones.get(one)
      const path = join(repository, file)
      const { client, transport, callTool } = MODERN.open(product.url, withBearer(product.key))
      await client.connect(transport)
      t.after(() => client.close())
      const call = async (name, args) => {
        const { structuredContent, isError, content } = await callTool(name, args)
        assert.ok(!isError, JSON.stringify(content))
        return structuredContent
      }
      assert.equal((await call('list_workspaces', {})).workspaces.length, clones.size)
      const { explorations } = await call('find_explorations', { query: title })
      const found = explorations.find((exploration) => exploration.title === title)
      assert.ok(found, JSON.stringify(explorations.map((exploration) => exploration.title)))
      const state = () => call('get_planning_state', { exploration_id: found.id })
      const before = await state()
      t.diagnostic(`next: ${JSON.stringify(before.ready)}`)
      if (next !== undefined) assert.equal(before.ready[0].id, next)
      const text = await readFile(path, 'utf8')
      const claim = await call('claim_item', { exploration_id: found.id })
      assert.ok(claim.claimed)
      const reported = await call('report_progress', {
        exploration_id: found.id, item_id: claim.item.id, status: 'done', evidence: [{ kind: 'commit', ref: 'abc1234' }]
      })
      assert.ok(reported.written)
      assert.equal(await readFile(path, 'utf8'), text.replace(open, done))
      const lines = git('diff', '-U0').split('\n').filter((line) => /^[-+](?!-- |\+\+ )/.test(line))
      t.diagnostic(`git diff of ${file}: ${lines.join(' ')}`)
      assert.equal(lines.length, 2)
      const after = await state()
      assert.equal(after.counts.items.done, before.counts.items.done + 1)
      if (then !== undefined) assert.equal(after.ready[0].id, then)
      if (real === undefined) {
        await product.command('import', repository)
        assert.equal((await product.command('import', repository)).written, 0)
      }

      const { resourceTemplates } = await client.listResourceTemplates()
      const template = resourceTemplates.find(({ uriTemplate }) => /:\/\/exploration\/\{[^}]+\}$/.test(uriTemplate))
      const uri = template.uriTemplate.replace(/\{[^}]+\}/, found.id)
      let notify = () => {}
      const notified = () => new Promise((resolve) => { notify = resolve })
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => { if (params.uri === uri) notify() })
      await client.listen({ resourceSubscriptions: [uri] })
      // Someone takes it back in an editor. What is heard first may still be of the report.
      let heard = notified()
      await writeFile(path, text)
      do {
        await heard
        heard = notified()
      } while ((await state()).counts.items.done !== before.counts.items.done)
    })
  }
})
