// A host of others loads the skills of the product over MCP, in 2026-07-28: the official TypeScript client.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { SKILLS } from './conversation.mjs'
import { MODERN, withBearer } from './official-clients.mjs'
import { useShared } from './shared.mjs'

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The files of a folder by their paths in it, with digest and size. */
const filesOf = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  return { path: path.slice(folder.length), digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length }
}).sort((one, other) => one.path < other.path ? -1 : 1)

describe('skills over MCP', () => {
  const used = useShared()

  test('TypeScript 2.4 lists, verifies and loads each skill; the digests are those of the files, here and in the plugin', async () => {
    const { client, transport } = MODERN.open(used.product.url, withBearer(used.product.key))
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    const host = new SkillsClient(client)
    assert.ok(host.supported && host.directoryRead)
    const { skills, invalid, ttlMs, cacheScope } = await host.list()
    assert.deepEqual({ invalid, ttlMs, cacheScope }, { invalid: [], ttlMs: 300_000, cacheScope: 'public' })
    assert.deepEqual(skills.map(({ frontmatter }) => frontmatter.name), SKILLS)
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
})
