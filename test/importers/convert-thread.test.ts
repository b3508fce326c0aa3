// While a server converts a large document, it goes on answering; and it sees a commit.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { PlanImport } from '../../src/importers/plan-import.js'
import { ImportReport } from '../../src/importers/report.js'
import { git, repositoryOf } from '../helpers/git.js'

const PHASE = (phase: number): string => `## Phase ${phase}: Part\n\n` +
  Array.from({ length: 10 }, (_, at) => `- [ ] T${phase * 10 + at} Do it in src/part.ts (depends on T1)\n  with all its steps\n\n`).join('')

t.test('requests are answered between the start and the end of a conversion', async (t) => {
  const tasks = '# Tasks\n\n' + Array.from({ length: 100 }, (_, at) => PHASE(at + 1)).join('')
  const root = t.testdir({ specs: { '001-a': { 'tasks.md': tasks } } })
  const server = createServer((_request, response) => { response.end() })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await (await fetch(address)).text()

  const convert = async (inThread: boolean) => {
    const plans = await PlanImport.open(root, { cwd: '/', workspace: 'team', inThread })
    const [unit] = (await plans.find(new ImportReport())).units
    if (!unit) throw new Error('no unit')
    const report = new ImportReport()
    const state = { done: false, answered: 0 }
    const converted = plans.converter.convert(unit, report).finally(() => { state.done = true })
    while (!state.done) {
      await (await fetch(address)).text()
      state.answered++
    }
    const result = await converted
    plans.converter.forgetHistory()
    return { answered: state.answered, result, remarks: report.remarks, outcomes: report.outcomes }
  }
  const here = await convert(false)
  const there = await convert(true)
  t.comment(`${here.answered} answered beside a conversion on the main thread, ${there.answered} beside the thread`)
  t.ok(there.answered > 20 && there.answered > 5 * here.answered, `${there.answered} to ${here.answered}`)
  t.strictSame({ ...there, answered: 0 }, { ...here, answered: 0 }, 'with the same records and report')
  t.equal(there.result.records[0]?.plan?.items.length, 1000)
})

t.test('the thread reads the history of a source again when it has changed', async (t) => {
  const folder = t.testdir({ specs: { '001-a': { 'spec.md': '# A\n' } } })
  repositoryOf(folder)
  git(folder, 'remote', 'add', 'origin', 'https://github.com/team/shop')
  const { converter } = await PlanImport.open(folder, { cwd: '/', workspace: 'team', inThread: true })
  const unit = { format: 'spec-kit', path: 'specs/001-a', files: ['specs/001-a/spec.md'], reason: '' } as const
  const urls = async () => (await converter.convert(unit, new ImportReport())).records.map(({ exploration: { url } }) => url)
  const first = await urls()
  t.match(first, [/^https:\/\/github\.com\/team\/shop\/blob\//])
  git(folder, 'commit', '-q', '--amend', '-m', 'again')
  t.same(await urls(), first)
  converter.forgetHistory()
  t.match(await urls(), [new RegExp(git(folder, 'rev-parse', 'HEAD'))])
})
