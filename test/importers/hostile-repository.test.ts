// What a stranger put into a folder that someone imports: nothing of it is run, and nothing blocks or ends the command.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { PlanImport } from '../../src/importers/plan-import.js'
import { git, repositoryOf } from '../helpers/git.js'
import { imported, importedFrom } from './imported.js'

const TASKS = '# Pay\n\n- [ ] T001 Take money\n'

t.test('a partial clone whose configuration names a program: what is missing is not fetched', async (t) => {
  const folder = t.testdir({ specs: { '001-pay': { 'tasks.md': TASKS } } })
  repositoryOf(folder)
  git(folder, 'mv', 'specs/001-pay', 'specs/002-pay')
  await writeFile(join(folder, 'specs/002-pay/tasks.md'), `${TASKS}- [ ] T002 Give it back\n`)
  git(folder, 'commit', '-qam', 'second')
  const proof = join(folder, 'proof')
  await appendFile(join(folder, '.git/config'), `[core]
    repositoryformatversion = 1
    sshCommand = "touch '${proof}'; false"
    [extensions]
    partialClone = origin
    [remote "origin"]
    promisor = true
    url = ssh://host.example/team/shop\n`)
  for (const commit of ['HEAD:specs/002-pay/tasks.md', 'HEAD~1:specs/001-pay/tasks.md']) {
    const id = git(folder, 'rev-parse', commit)
    await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
  }
  const { all } = await importedFrom(folder)
  t.match(all, [{ path: 'specs/002-pay' }])
  t.notOk(existsSync(proof), 'its program was not run')
})

t.test('a folder of files that looks like a repository has no say', async (t) => {
  const folder = t.testdir({
    plans: {
      specs: { '001-pay': { 'tasks.md': TASKS } },
      HEAD: 'ref: refs/heads/main\n',
      objects: { keep: '' },
      refs: { keep: '' },
      config: '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n[remote "origin"]\n\turl = git@host.example:team/shop.git\n'
    }
  })
  const plans = await PlanImport.open(join(folder, 'plans'), { cwd: '/', workspace: 'team' })
  t.equal(plans.source.repository, undefined)
  t.notMatch(plans.source.key, /host\.example/)
})

t.test('pipes and devices are not read', async (t) => {
  await t.test('as settings', async (t) => {
    const folder = t.testdir({ specs: { '001-pay': { 'tasks.md': TASKS } } })
    execFileSync('mkfifo', [join(folder, '.exploration-mcp.json')])
    await t.rejects(importedFrom(folder), { message: '.exploration-mcp.json cannot be read (EINVAL).' })
    await t.rejects(
      imported(t, { '.exploration-mcp.json': t.fixture('symlink', '/dev/zero') }),
      { message: '.exploration-mcp.json cannot be read (EINVAL).' }
    )
  })

  await t.test('as rules of what to leave out', async (t) => {
    const folder = t.testdir({ specs: { '001-pay': { 'tasks.md': TASKS, '.gitignore': t.fixture('symlink', '/dev/zero') } } })
    execFileSync('mkfifo', [join(folder, '.gitignore')])
    t.match((await importedFrom(folder)).all, [{ path: 'specs/001-pay' }])
  })

  await t.test('as an export', async (t) => {
    const folder = t.testdir({ '.exploration-mcp.json': '{"paths":["issues.csv"]}' })
    execFileSync('mkfifo', [join(folder, 'issues.csv')])
    await t.rejects(importedFrom(folder), { message: /^issues\.csv is of no format that is read/ })
  })
})

t.test('settings are bounded in size and depth', async (t) => {
  await t.rejects(imported(t, { '.exploration-mcp.json': ' '.repeat(70_000) }), { message: /is longer than 65536 bytes/ })
  await t.rejects(
    imported(t, { '.exploration-mcp.json': '['.repeat(10_000) }), { message: /^\.exploration-mcp\.json is not JSON: The JSON is nested deeper/ }
  )
})

t.test('texts that defeat careless patterns', async (t) => {
  const LONG = 100_000
  const texts = {
    'a heading that would be a pattern': `# ${'T001 [P] '.repeat(LONG / 9)}\n\ntext\n`,
    'marks that no one closes': '[NEEDS CLARIFICATION: '.repeat(LONG / 22),
    'empty lines': '\n'.repeat(LONG),
    'quotes in quotes, and lists in lists': `${'> '.repeat(20_000)}x\n${'- '.repeat(20_000)}[ ] y\n`,
    'parts that begin and do not end': '- [ ] T001 ** [NEEDS CLARIFICATION: ~~ Q: → A: ```\n<!-- | a | b |\n|--|--|\n> 1. (depends on T001-T999\n## Open Questions\n'.repeat(500),
    'spaces in a field': `# Pay\n\n**Status**: ${' '.repeat(LONG)}x\n`
  }
  for (const [name, text] of Object.entries(texts)) {
    const { all, problems } = await imported(t, {
      specs: { '001-pay': { 'spec.md': text, 'tasks.md': text } }, rfcs: { '0001-pay.md': text }
    })
    t.ok(JSON.stringify(all).length < 10 * LONG, `${name}: its records are hardly longer than the files`)
    t.strictSame(problems.filter((problem) => !problem.includes('no task was read')), [], name)
  }
  t.match(await readdir(t.testdirName), ['rfcs', 'specs'])
})

t.test('repositories inside are not entered: worktrees, clones and submodules', async (t) => {
  const feature = () => ({ specs: { '001-pay': { 'tasks.md': TASKS } } })
  const { all, notes } = await imported(t, {
    ...feature(),
    '.claude': { worktrees: { f1: { '.git': 'gitdir: elsewhere\n', ...feature() } } },
    clone: { '.git': { HEAD: 'ref: refs/heads/main\n' }, ...feature() }
  })
  t.strictSame(all.map(({ path }) => path), ['specs/001-pay'])
  t.match(notes, [
    /^\.claude\/worktrees\/f1: left out: a repository or worktree of its own/,
    /^clone: left out: a repository or worktree of its own/
  ])
})
