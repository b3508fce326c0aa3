/**
 * Lists the sections of the specification that have a MUST, SHOULD or MAY, with their numbers: `node normative-sections.mjs CLONE`, where CLONE is a
 * clone of modelcontextprotocol/modelcontextprotocol. It writes test/conformance/normative-sections.json: places and numbers, no prose.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
/** The schema page repeats the schema; the changelog describes. */
const LEFT_OUT = new Set(['changelog', 'schema'])
const WORDS = { MUST: 'must', REQUIRED: 'must', SHALL: 'must', SHOULD: 'should', RECOMMENDED: 'should', MAY: 'may', OPTIONAL: 'may' }
const KEYWORD = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'g')

/** The anchor of a heading, as the site makes it. */
const anchorOf = (/** @type {string} */ heading) => {
  const [, given] = /\{#([\w-]+)\}/.exec(heading) ?? []
  return given ?? heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replaceAll(/[^\w\s-]|^_|`_/g, '').replaceAll('_', '').trim().replaceAll(/\s+/g, '-')
}

/** @returns {Array<{ revision: string, page: string, anchor: string, parents: string[], must: number, should: number, may: number }>} */
const sectionsOf = (/** @type {string} */ revision, /** @type {string} */ page, /** @type {string} */ text) => {
  const sections = [{ revision, page, anchor: '', parents: /** @type {string[]} */ ([]), must: 0, should: 0, may: 0 }]
  const seen = new Map()
  /** @type {string[]} */
  const open = []
  let inCode = false
  for (const line of text.replace(/^---\n[^]*?\n---\n/, '').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode
    if (inCode) continue
    const [, marks = '', heading = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
    if (marks !== '') {
      const base = anchorOf(heading)
      const count = (seen.get(base) ?? 0) + 1
      seen.set(base, count)
      const anchor = count === 1 ? base : `${base}-${count}`
      open.length = Math.min(open.length, marks.length - 1)
      sections.push({ revision, page, anchor, parents: open.filter(Boolean), must: 0, should: 0, may: 0 })
      open[marks.length - 1] = anchor
    } else if (!/BCP 14|RFC ?2119/.test(line) && !/"MUST", "MUST NOT"/.test(line)) {
      const section = sections.at(-1)
      for (const [word] of line.matchAll(KEYWORD)) if (section) section[/** @type {'must'} */ (WORDS[/** @type {'MUST'} */ (word)])]++
    }
  }
  return sections.filter(({ must, should, may }) => must + should + may > 0)
}

const clone = process.argv[2] ?? '.'
const sections = REVISIONS.flatMap((revision) => {
  const folder = join(clone, 'docs/specification', revision)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mdx')).sort().flatMap((file) => {
    const page = file.replaceAll('\\', '/').replace(/\.mdx$/, '').replace(/(?:^|\/)index$/, '')
    return LEFT_OUT.has(page) ? [] : sectionsOf(revision, page, readFileSync(join(folder, file), 'utf8'))
  })
})
const lines = sections.map(({ revision, page, anchor, parents, must, should, may }) => `  ${JSON.stringify([revision, page, anchor, parents.join(' '), must, should, may])}`)
writeFileSync(new URL('../../test/conformance/normative-sections.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`)
