// What is registered with an agent is what its own command line lists, and connects to where it can without a model.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { startProduct } from '../product.mjs'
import { COMMAND_LINES } from './command-lines.mjs'
import { makeHome } from './home.mjs'

let product
before(async () => { product = await startProduct() })
after(async () => { await product?.stop() })

const printsHeader = (home) => ({ kind: 'command', value: `printf '{"Authorization":"Bearer %s"}' "$(cat '${home}/token')"` })
const variable = () => ({ kind: 'variable', value: 'EXPLORATION_TOKEN' })

const agentTest = (id, title, options, use) => test(`${id}: ${title}`, async (t) => {
  if (!existsSync(COMMAND_LINES[id].at(-1))) {
    t.skip(`the registry has no build for ${process.platform} on ${process.arch}`)
    return
  }
  const there = await makeHome(id, { url: product.url, key: product.key, ...options?.() })
  try {
    await use(there)
  } finally {
    await there.remove()
  }
})

describe('agents', { concurrency: 3 }, () => {
  const inVariable = () => ({ secret: variable, env: { EXPLORATION_TOKEN: product.key } })

  agentTest('claude-code', 'connects, and goes again from a file that it has written anew', undefined, async ({ say, file, uninstall }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*\(HTTP\) - .*Connected/)
    const rewritten = JSON.parse(await readFile(file, 'utf8'))
    await uninstall()
    const { mcpServers, ...rest } = rewritten
    assert.deepEqual(mcpServers, { exploration: mcpServers.exploration })
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), rest)
    assert.doesNotMatch(await say('mcp', 'list'), /exploration/)
  })
  agentTest('claude-code', 'connects with the header that a command prints', () => ({ secret: printsHeader }), async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*Connected/)
  })
  agentTest('claude-code', 'knows a server of the project, and asks before it connects', () => ({ ...inVariable(), scope: 'project' }), async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*(?:Pending approval|Connected)/)
  })

  for (const [title, options] of [['connects and reads the tools', undefined], ['connects with a token from a variable', inVariable]]) {
    agentTest('codex', title, options, async ({ say, start }) => {
      assert.match(await say('mcp', 'list', '--json'), /"name": "exploration"/)
      const server = start(['app-server'])
      try {
        const answers = createInterface({ input: server.stdout })
        for (const message of [
          { id: 0, method: 'initialize', params: { clientInfo: { name: 'interop', version: '1' } } },
          { method: 'initialized' },
          { id: 1, method: 'mcpServerStatus/list', params: {} }
        ]) server.stdin.write(`${JSON.stringify(message)}\n`)
        for await (const line of answers) {
          const { id, result } = JSON.parse(line)
          if (id !== 1) continue
          assert.equal(result.data[0].name, 'exploration')
          assert.equal(Object.keys(result.data[0].tools).length, 8)
          return
        }
        assert.fail('codex ended without an answer')
      } finally {
        server.kill('SIGKILL')
      }
    })
  }

  agentTest('gemini', 'connects', undefined, async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*\(http\) - Connected/)
  })
  agentTest('gemini', 'connects with a token from a variable', inVariable, async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*\(http\) - Connected/)
  })

  agentTest('opencode', 'connects', undefined, async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration\s+connected/)
  })
  agentTest('opencode', 'connects with a token from a file', () => ({ secret: () => ({ kind: 'file', value: '~/token' }) }), async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration\s+connected/)
  })

  agentTest('qwen', 'connects', undefined, async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*\(http\) - Connected/)
  })

  agentTest('copilot', 'lists it', undefined, async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration \(http\)/)
  })
  agentTest('copilot', 'lists that of a trusted project', () => ({ ...inVariable(), scope: 'project' }), async ({ say, home, project }) => {
    await mkdir(join(project, '.git'))
    await mkdir(join(home, '.copilot'), { recursive: true })
    await writeFile(join(home, '.copilot/config.json'), JSON.stringify({ trusted_folders: [project] }))
    assert.match(await say('mcp', 'list'), /exploration \(http\)/)
  })
})
