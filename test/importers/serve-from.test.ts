// `serve --from`: what it says that it found, several repositories, and a first start whose import fails.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'
import { toolsOf, type Json } from './imported.js'

const specs = (...names: string[]) => ({
  specs: Object.fromEntries(names.map((name) => [name, { 'spec.md': `# Feature Specification: ${name}\n` }]))
})
const folder = t.testdir({
  shop: specs('001-pay', '002-ship'), bank: specs('001-lend'), other: { shop: specs('001-pay') }, empty: { 'prd.json': '{}' }
})
const commandsIn = (cwd: string) => commandLine(t, { data: join(folder, 'data'), folder: cwd })
const cli = commandsIn(folder)
const BOTH = '--from shop --from bank'

/** What a start prints first; then `use` runs, and it stops. */
const serve = async (args: string, use: (said: string) => Promise<void> = async () => {}, from = cli): Promise<string> => {
  const { hello, stop } = await from.serve(`serve --port 0 ${args}`)
  await use(hello)
  await stop()
  return hello
}

t.test('starts that fail', async (t) => {
  const rows: Array<[string, RegExp]> = [
    ['--from shop --from other/shop',
      /^shop and other\/shop would both be imported into the workspace shop: [^]*import other\/shop --workspace NAME --watch\n$/],
    [`${BOTH} --workspace all`, /--workspace names one workspace/],
    // A first start, whose key is not lost by it.
    ['--from shop --workspace 00000000-0000-4000-8000-000000000001', /There is no workspace/]
  ]
  for (const [args, err] of rows) t.match(await cli.run(`serve --port 0 ${args}`), { code: 1, err }, args)
})

t.test('several repositories', async (t) => {
  await serve(`${BOTH} --json`, async (said) => {
    const hello = JSON.parse(said) as Json
    t.match(hello, {
      key: /^svc_key_/,
      plans: ['shop:', '2 explorations from this repository: 2 spec-kit', 'bank:', '1 exploration from this repository: 1 spec-kit']
    })
    const { workspaces } = await toolsOf(hello['endpoint'], hello['key'])('list_workspaces')
    t.strictSame(workspaces.map(({ slug, exploration_count: count }: Json) => [slug, count]), [['bank', 1], ['shop', 2]])
  })
  t.match(await serve(BOTH), /^Serving on [^]*\nshop:\n2 explorations from this repository: 2 spec-kit\nbank:\n/, 'a later start')
})

t.test('a repository without plans', async (t) => {
  const said = await serve('--from empty')
  t.match(said, /\nNo plans were found here\. These formats are read:\n[^]*\nSeen, but not read: prd\.json/)
  t.notMatch(said, /are imported/)
  mkdirSync(join(folder, 'empty/specs/001-pay'), { recursive: true })
  writeFileSync(join(folder, 'empty/specs/001-pay/spec.md'), '# Pay\n')
  t.match(await serve('--from .', undefined, commandsIn(join(folder, 'empty'))), /\n1 exploration from this repository: 1 spec-kit/)
})
