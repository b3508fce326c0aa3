// Hosts of others load the skills of the product over MCP, in 2026-07-28: the official TypeScript client, and the Inspector.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { newerNode } from './newer-node.mjs'
import { MODERN, withBearer } from './official-clients.mjs'
import { sharedProduct } from './shared.mjs'

const INSPECTOR = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))
const NAMES = ['bring-planning-in', 'review-a-plan', 'work-through-a-plan']
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The files of a folder by their paths in it, with digest and size. */
const filesOf = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  return { path: path.slice(folder.length), digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length }
}).sort((one, other) => one.path < other.path ? -1 : 1)

describe('skills over MCP', () => {
  let product
  before(async () => { product = await sharedProduct() })
  after(async () => { await product?.stop() })

  test('TypeScript 2.4 lists, verifies and loads each skill; the digests are those of the files, here and in the plugin', async () => {
    const { client, transport } = MODERN.open(product.url, withBearer(product.key))
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    const host = new SkillsClient(client)
    assert.ok(host.supported && host.directoryRead)
    const { skills, invalid, ttlMs, cacheScope } = await host.list()
    assert.deepEqual({ invalid, ttlMs, cacheScope }, { invalid: [], ttlMs: 300_000, cacheScope: 'public' })
    assert.deepEqual(skills.map(({ frontmatter }) => frontmatter.name), NAMES)
    const files = skills.flatMap(({ resources }) => resources)
      .map(({ uri, digest, size }) => ({ path: uri.slice('skill://'.length), digest, size })).sort((one, other) => one.path < other.path ? -1 : 1)
    assert.deepEqual(files, filesOf(at('src/planning/skills/')))
    assert.deepEqual(files, filesOf(at('scripts/plugin/skills/')))
    for (const skill of skills) {
      const loaded = await host.read(skill)
      assert.ok(loaded.verified)
      assert.deepEqual(loaded.frontmatter, skill.frontmatter)
      for (const { uri } of skill.resources) assert.ok((await host.read(skill, uri)).verified, uri)
      assert.deepEqual((await host.get(skill.uri)).skill, skill)
    }
    const { resources } = await host.readDirectory('skill://bring-planning-in')
    assert.deepEqual(resources.map(({ name }) => name), ['references', 'bring-planning-in'])
    await assert.rejects(host.get('skill://nothing/SKILL.md'), { code: -32602 })
    await client.close()
  })

  test('the Inspector 2.12 lists and verifies them', async () => {
    const { stdout } = await promisify(execFile)('node', [INSPECTOR, '--cli', product.url, '--transport', 'http', '--protocol-era', 'modern',
      '--header', `Authorization: Bearer ${product.key}`, '--method', 'skills/list', '--verify', '--require-digests'],
    { env: newerNode(), maxBuffer: 64 * 1024 * 1024 })
    // A line for each skill.
    const verified = stdout.trim().split('\n').map((line) => JSON.parse(line))
    assert.deepEqual(verified.map(({ name, ok, outcome, frontmatter, conformance }) => ({ name, ok, outcome, frontmatter, conformance })),
      NAMES.map((name) => ({ name, ok: true, outcome: 'verified', frontmatter: [], conformance: [] })))
  })
})
