// What `init` registers with an agent is what its own command line lists, and connects to where it can without a model.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TOOLS } from '../conversation.mjs'
import { startProduct } from '../product.mjs'
import { askCodex, COMMAND_LINES, QUIET } from './command-lines.mjs'
import { makeHome } from './home.mjs'

let product
before(async () => { product = await startProduct() })
after(async () => { await product?.stop() })

const LISTED = {
  'claude-code': /exploration: .*\(HTTP\) - .*Connected/,
  copilot: /exploration \(http\)/,
  gemini: /exploration: .*\(http\) - Connected/,
  opencode: /exploration\s+connected/,
  qwen: /exploration: .*\(http\) - Connected/
}

const agentTest = (id, title, flags, use) => test(`${id}: ${title}`, async (t) => {
  if (!existsSync(COMMAND_LINES[id].at(-1))) {
    t.skip(`the registry has no build for ${process.platform} on ${process.arch}`)
    return
  }
  const there = await makeHome(id, { url: product.url, key: product.key, flags, env: { EXPLORATION_MCP_TOKEN: product.key } })
  try {
    await use(there)
  } finally {
    await there.remove()
  }
})

const lists = (id, title, flags, secret) => agentTest(id, title, flags, async ({ say, registered }) => {
  assert.equal(registered.secret, secret)
  assert.match(await say('mcp', 'list'), LISTED[id])
})

describe('agents', { concurrency: 3 }, () => {
  agentTest('claude-code', 'connects, and our entry goes from a file that it has written anew', [], async ({ say, registered, uninstall }) => {
    assert.match(await say('mcp', 'list'), LISTED['claude-code'])
    const { mcpServers, ...rest } = JSON.parse(await readFile(registered.file, 'utf8'))
    assert.deepEqual(Object.keys(mcpServers), ['exploration'])
    await uninstall()
    assert.deepEqual(JSON.parse(await readFile(registered.file, 'utf8')), rest)
    assert.doesNotMatch(await say('mcp', 'list'), /exploration:/)
  })
  lists('claude-code', 'connects with the header that a command prints', ['--reference'], 'command')
  agentTest('claude-code', 'knows the server of a project, and asks before it connects', ['--scope', 'project'], async ({ say }) => {
    assert.match(await say('mcp', 'list'), /exploration: .*(?:Pending approval|Connected)/)
  })

  for (const [title, flags, secret] of [['with a header', [], 'token'], ['with a token from a variable', ['--reference'], 'variable']]) {
    agentTest('codex', `connects ${title} and reads the tools`, flags, async ({ say, start, registered }) => {
      assert.equal(registered.secret, secret)
      assert.match(await say('mcp', 'list', '--json'), /"name": "exploration"/)
      const { data: [{ name, tools }] } = JSON.parse(await askCodex(start(['app-server']))).result
      assert.equal(name, 'exploration')
      assert.equal(Object.keys(tools).length, TOOLS.length)
    })
  }

  lists('gemini', 'connects', [], 'token')
  lists('gemini', 'connects with a token from a variable', ['--reference'], 'variable')
  lists('opencode', 'connects', [], 'token')
  lists('opencode', 'connects with a token from a file', ['--reference'], 'file')
  lists('qwen', 'connects', [], 'token')
  lists('copilot', 'lists it', [], 'token')
  agentTest('copilot', 'lists that of a trusted project', ['--scope', 'project'], async ({ say, home, project }) => {
    await mkdir(join(project, '.git'))
    await mkdir(join(home, '.copilot'), { recursive: true })
    await writeFile(join(home, '.copilot/config.json'), JSON.stringify({ trusted_folders: [project] }))
    assert.match(await say('mcp', 'list'), LISTED.copilot)
  })
})

test('claude-code: accepts the plugin and its marketplace', async (t) => {
  const claude = COMMAND_LINES['claude-code'].at(-1)
  if (!existsSync(claude)) {
    t.skip(`the registry has no build for ${process.platform} on ${process.arch}`)
    return
  }
  const home = await mkdtemp(join(tmpdir(), 'plugin-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  const plugin = fileURLToPath(new URL('../../../scripts/plugin', import.meta.url))
  for (const path of [plugin, join(plugin, '.claude-plugin/plugin.json'), join(plugin, '.claude-plugin/marketplace.json')]) {
    const { stdout } = await promisify(execFile)(claude, ['plugin', 'validate', path], { env: { ...process.env, ...QUIET, HOME: home } })
    assert.match(stdout, /Validation passed/)
  }
})
