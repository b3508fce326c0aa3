// `serve --from`: what it says that it found, several repositories, and a first start whose import fails.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'

interface Hello {
  endpoint: string
  key?: string
  plans: string[]
}

/** Commands in a folder with these repositories. `serve` runs `use` with what was printed first, and stops. */
const beside = (t: Test, repositories: object) => {
  const folder = t.testdir(repositories as Parameters<Test['testdir']>[0])
  const cli = commandLine(t, { data: join(folder, 'data'), folder })
  return {
    folder,
    async serve (args: string, use: (said: string) => Promise<void> | void) {
      const { hello, stop } = await cli.serve(`serve --port 0 ${args}`)
      await use(hello)
      await stop()
    },
    /** The message of a start that fails. */
    async refused (args: string) {
      const { code, err } = await cli.run(`serve --port 0 ${args}`)
      t.equal(code, 1)
      return err
    }
  }
}

/** The slugs of the workspaces that the key reads, and how many explorations each has. */
const workspacesOf = async ({ endpoint, key = '' }: Hello): Promise<Array<[string, number]>> => {
  const { body, headers } = modernRequest(key, 'tools/call', { name: 'list_workspaces', arguments: {} })
  const { result } = await (await fetch(endpoint, { method: 'POST', headers, body })).json() as {
    result: { structuredContent: { workspaces: Array<{ slug: string, exploration_count: number }> } }
  }
  return result.structuredContent.workspaces.map(({ slug, exploration_count: count }) => [slug, count])
}

const specs = (...names: string[]) => ({
  specs: Object.fromEntries(names.map((name) => [name, { 'spec.md': `# Feature Specification: ${name}\n` }]))
})

t.test('several repositories', async (t) => {
  const { serve, refused } = beside(t, {
    shop: specs('001-pay', '002-ship'), bank: specs('001-lend'), other: { shop: specs('001-pay') }
  })
  t.match(
    await refused('--from shop --from other/shop'),
    /^shop and other\/shop would both be imported into the workspace shop: [^]*import other\/shop --workspace NAME --watch\n$/
  )
  t.match(await refused('--from shop --from bank --workspace all'), /--workspace names one workspace/)
  const both = '--from shop --from bank'
  await serve(`${both} --json`, async (said) => {
    const hello = JSON.parse(said) as Hello
    t.match(hello.plans, [
      'shop:', '2 explorations from this repository: 2 spec-kit', 'bank:', '1 exploration from this repository: 1 spec-kit'
    ])
    t.strictSame(await workspacesOf(hello), [['bank', 1], ['shop', 2]])
  })
  await serve(both, (said) => {
    t.match(said, /^Serving on [^]*\nshop:\n2 explorations from this repository: 2 spec-kit\nbank:\n/, 'a later start')
  })
})

t.test('a repository without plans', async (t) => {
  const { folder, serve } = beside(t, { shop: { 'prd.json': '{}' } })
  await serve('--from shop', (said) => {
    t.match(said, /\nNo plans were found here\. These formats are read:\n/)
    t.match(said, /\nSeen, but not read: prd\.json/)
    t.notMatch(said, /are imported/)
  })
  mkdirSync(join(folder, 'shop/specs/001-pay'), { recursive: true })
  writeFileSync(join(folder, 'shop/specs/001-pay/spec.md'), '# Pay\n')
  await serve('--from shop', (said) => {
    t.match(said, /\n1 exploration from this repository: 1 spec-kit/)
  })
})

t.test('a first start whose import fails loses no key', async (t) => {
  const { serve, refused } = beside(t, { shop: specs('001-pay') })
  t.match(await refused('--from shop --workspace 00000000-0000-4000-8000-000000000001'), /There is no workspace/)
  await serve('--from shop --json', async (said) => {
    const hello = JSON.parse(said) as Hello
    t.match(hello.key, /^svc_key_/)
    t.strictSame(await workspacesOf(hello), [['shop', 1]])
  })
})
