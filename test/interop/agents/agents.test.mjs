// What `init` registers with an agent is what its own command line lists, and connects to where it can without a model.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TOOLS } from '../conversation.mjs'
import { useShared } from '../shared.mjs'
import { askCodex, COMMAND_LINES, QUIET, whySkipped } from './command-lines.mjs'
import { makeHome } from './home.mjs'

const LISTED = {
  'claude-code': /exploration: .*\(HTTP\) - .*Connected/,
  copilot: /exploration \(http\)/,
  gemini: /exploration: .*\(http\) - Connected/,
  opencode: /exploration\s+connected/,
  qwen: /exploration: .*\(http\) - Connected/
}
const LIST = ['mcp', 'list']

describe('agents', { concurrency: 3 }, () => {
  const used = useShared()
  const homes = {}
  before(async () => {
    const make = (ids, flags) => makeHome(ids, { url: used.product.url, key: used.product.key, flags })
    homes.plain = await make(['codex', 'gemini', 'qwen', 'copilot'], [])
    homes.reference = await make(['claude-code', 'codex', 'gemini', 'opencode'], ['--reference'])
    // What one of them finds in a project, or writes anew, is its own.
    homes.claude = await make(['claude-code'], [])
    homes.claudeProject = await make(['claude-code'], ['--scope', 'project'])
    homes.copilotProject = await make(['copilot'], ['--scope', 'project'])
  })
  after(() => Promise.all(Object.values(homes).map((home) => home.remove())))

  const agentTest = (id, title, use) => test(`${id}: ${title}`, { skip: whySkipped(id) }, use)

  const lists = (id, title, name, secret) => agentTest(id, title, async () => {
    assert.equal(homes[name].registered(id).secret, secret)
    assert.match(await homes[name].say(id, LIST), LISTED[id])
  })

  agentTest('claude-code', 'connects, and our entry goes from a file that it has written anew', async () => {
    const { say, registered, uninstall } = homes.claude
    const { file } = registered('claude-code')
    assert.match(await say('claude-code', LIST), LISTED['claude-code'])
    const { mcpServers, ...rest } = JSON.parse(await readFile(file, 'utf8'))
    assert.deepEqual(Object.keys(mcpServers), ['exploration'])
    await uninstall()
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), rest)
    assert.doesNotMatch(await say('claude-code', LIST), /exploration:/)
  })
  lists('claude-code', 'connects with the header that a command prints', 'reference', 'command')
  agentTest('claude-code', 'knows the server of a project, and asks before it connects', async () => {
    assert.match(await homes.claudeProject.say('claude-code', LIST), /exploration: .*(?:Pending approval|Connected)/)
  })

  for (const [title, name, secret] of [['with a header', 'plain', 'token'], ['with a token from a variable', 'reference', 'variable']]) {
    agentTest('codex', `connects ${title} and reads the tools`, async () => {
      const { say, start, registered } = homes[name]
      assert.equal(registered('codex').secret, secret)
      assert.match(await say('codex', [...LIST, '--json']), /"name": "exploration"/)
      const { data: [{ name: server, tools }] } = JSON.parse(await askCodex(start('codex', ['app-server']))).result
      assert.equal(server, 'exploration')
      assert.equal(Object.keys(tools).length, TOOLS.length)
    })
  }

  lists('gemini', 'connects', 'plain', 'token')
  lists('gemini', 'connects with a token from a variable', 'reference', 'variable')
  // With the token itself it works through a plan, in twelve-items.test.mjs.
  lists('opencode', 'connects with a token from a file', 'reference', 'file')
  lists('qwen', 'connects', 'plain', 'token')
  agentTest('copilot', 'lists it, and that of a trusted project', async () => {
    assert.equal(homes.plain.registered('copilot').secret, 'token')
    assert.match(await homes.plain.say('copilot', LIST), LISTED.copilot)
    const { say, home, project } = homes.copilotProject
    await mkdir(join(project, '.git'))
    await mkdir(join(home, '.copilot'), { recursive: true })
    await writeFile(join(home, '.copilot/config.json'), JSON.stringify({ trusted_folders: [project] }))
    // Where there is none, it first unpacks a program of 240 MB.
    const XDG_CACHE_HOME = join(homes.plain.home, '.cache')
    assert.match(await say('copilot', LIST, { XDG_CACHE_HOME }), LISTED.copilot)
  })
})

test('claude-code: accepts the plugin and its marketplace', { skip: whySkipped('claude-code') }, async (t) => {
  const claude = COMMAND_LINES['claude-code'].at(-1)
  const home = await mkdtemp(join(tmpdir(), 'plugin-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  const plugin = fileURLToPath(new URL('../../../scripts/plugin', import.meta.url))
  for (const path of [plugin, join(plugin, '.claude-plugin/plugin.json'), join(plugin, '.claude-plugin/marketplace.json')]) {
    const { stdout } = await promisify(execFile)(claude, ['plugin', 'validate', path], { env: { ...process.env, ...QUIET, HOME: home } })
    assert.match(stdout, /Validation passed/)
  }
})
