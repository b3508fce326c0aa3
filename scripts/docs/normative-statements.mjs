/**
 * Lists the statements of the specification that have a MUST, SHOULD or MAY: `node normative-statements.mjs CLONE`,
 * where CLONE is a clone of modelcontextprotocol/modelcontextprotocol. It writes
 * test/conformance/normative-statements.json: places, levels and hashes, no prose. A statement that several revisions
 * have in the same words is one row. `--check` writes nothing and fails when the file is not what the clone says;
 * `--print` writes the sentences to the terminal, for who assigns them in test/conformance/statements.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** The schema page repeats the schema; the changelog describes. */
const LEFT_OUT = new Set(['changelog', 'schema'])
const LEVELS = { MUST: 'MUST', REQUIRED: 'MUST', SHALL: 'MUST', SHOULD: 'SHOULD', RECOMMENDED: 'SHOULD', MAY: 'MAY', OPTIONAL: 'MAY' }
const KEYWORD = new RegExp(`\\b(${Object.keys(LEVELS).join('|')})\\b( NOT\\b)?`, 'g')
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|Sec)\.$/i
const OUTPUT = new URL('../../test/conformance/normative-statements.json', import.meta.url)

/**
 * @typedef {{ kind: 'heading' | 'paragraph' | 'item' | 'row', depth: number, text: string }} Block
 * @typedef {{ place: string, levels: string[], sentence: string }} Statement
 */

/** The anchor of a heading, as the site makes it. */
const anchorOf = (/** @type {string} */ heading) => {
  const [, given] = /\{#([\w-]+)\}/.exec(heading) ?? []
  return given ?? heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replaceAll(/[^\w\s-]|^_|`_/g, '').replaceAll('_', '').trim().replaceAll(/\s+/g, '-')
}

/** A text without its marks of Markdown, on one line. */
const plain = (/** @type {string} */ text) => text
  .replaceAll(/<[^>]*>/g, ' ')
  .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
  .replaceAll(/[*_`]/g, '')
  .replaceAll(/\s+/g, ' ')
  .trim()

/** The sentences of a paragraph; an abbreviation ends none. */
const sentencesOf = (/** @type {string} */ text) => {
  /** @type {string[]} */
  const sentences = []
  for (const piece of plain(text).split(/(?<=[.!?][)"’]?)\s+(?=[A-Z"([])/)) {
    const last = sentences.at(-1)
    if (last !== undefined && ABBREVIATION.test(last)) sentences[sentences.length - 1] = `${last} ${piece}`
    else sentences.push(piece)
  }
  return sentences
}

/** The headings, paragraphs, list items and table rows of a page; code is left out. `depth` of an item is its indent. */
const blocksOf = (/** @type {string} */ text) => {
  /** @type {Block[]} */
  const blocks = []
  /** @type {Block | undefined} */
  let open
  let inCode = false
  const body = text.replace(/^---\n[^]*?\n---\n/, '').replaceAll(/<!--[^]*?-->|\{\/\*[^]*?\*\/\}/g, '')
  for (const line of body.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) inCode = !inCode
    const [, marks = '', heading = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
    const [, indent, item] = /^(\s*)(?:[-*+]|\d+\.)\s+(.*)$/.exec(line) ?? []
    const isBreak = isFence || inCode || /^\s*$/.test(line) || /^\[[^\]]+\]:\s/.test(line) || /^\s*<\/?\w+[^>]*>\s*$/.test(line)
    if (isBreak) open = undefined
    else if (marks !== '') blocks.push({ kind: 'heading', depth: marks.length, text: heading })
    else if (item !== undefined) blocks.push(open = { kind: 'item', depth: indent?.length ?? 0, text: item })
    else if (/^\s*\|/.test(line)) blocks.push({ kind: 'row', depth: 0, text: line })
    else if (open) open.text += ` ${line.trim()}`
    else blocks.push(open = { kind: 'paragraph', depth: /^\s*/.exec(line)?.[0].length ?? 0, text: line.trim() })
    if (marks !== '') open = undefined
  }
  return blocks
}

const levelsOf = (/** @type {string} */ sentence) =>
  [...sentence.matchAll(KEYWORD)].map(([, word, not = '']) => LEVELS[/** @type {keyof typeof LEVELS} */ (word)] + not)

/** The statements of a page. A keyword before a colon holds for each item of the list that follows. */
const statementsOf = (/** @type {string} */ revision, /** @type {string} */ page, /** @type {string} */ text) => {
  /** @type {Statement[]} */
  const statements = []
  const seen = new Map()
  let anchor = ''
  let ordinal = 0
  /** @type {{ block: Block, text: string, isUsed: boolean } | undefined} */
  let lead
  const add = (/** @type {string} */ sentence) => {
    if (/BCP ?14|RFC ?2119|"MUST", "MUST NOT"/.test(sentence)) return
    ordinal++
    statements.push({ place: `${revision} ${page}#${anchor} ${ordinal}`, levels: levelsOf(sentence), sentence })
  }
  const endLead = () => {
    if (lead && !lead.isUsed) add(lead.text)
    lead = undefined
  }
  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') {
      endLead()
      const base = anchorOf(block.text)
      const count = (seen.get(base) ?? 0) + 1
      seen.set(base, count)
      anchor = count === 1 ? base : `${base}-${count}`
      ordinal = 0
      continue
    }
    const isInside = lead && block.kind === 'item' &&
      (block.depth > lead.block.depth || (lead.block.kind !== 'item' && block.depth >= lead.block.depth))
    if (!isInside) endLead()
    const sentences = sentencesOf(block.text)
    const normative = sentences.filter((sentence) => levelsOf(sentence).length > 0)
    if (lead && normative.length === 0) {
      add(`${lead.text} ${plain(block.text)}`)
      lead.isUsed = true
    }
    for (const sentence of normative) {
      const leads = block.kind !== 'row' && sentence === sentences.at(-1) && sentence.endsWith(':')
      if (!leads) add(sentence)
      else {
        if (lead?.block.kind === 'item') endLead()
        lead = { block, text: sentence, isUsed: false }
      }
    }
  }
  endLead()
  return statements
}

/** Differences in punctuation, in upper and lower case and in marks make no other statement. */
const hashOf = (/** @type {string} */ sentence) =>
  createHash('sha256').update(sentence.toLowerCase().match(/[a-z0-9]+/g)?.join(' ') ?? '').digest('hex').slice(0, 12)

const [clone = '.', option] = process.argv.slice(2)
/** @type {Map<string, { levels: string[], sentence: string, places: string[] }>} */
const rows = new Map()
for (const revision of REVISIONS) {
  const folder = join(clone, 'docs/specification', revision)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mdx')).sort()) {
    const page = file.replaceAll('\\', '/').replace(/\.mdx$/, '').replace(/(?:^|\/)index$/, '')
    if (LEFT_OUT.has(page)) continue
    for (const { place, levels, sentence } of statementsOf(revision, page, readFileSync(join(folder, file), 'utf8'))) {
      const hash = hashOf(sentence)
      const row = rows.get(hash)
      if (row) row.places.push(place)
      else rows.set(hash, { levels, sentence, places: [place] })
    }
  }
}

if (option === '--print') {
  for (const [hash, { places, sentence }] of rows) console.log(`${hash} ${places[0]}: ${sentence}`)
} else {
  const lines = [...rows].map(([hash, { levels, places }]) => `  ${JSON.stringify([hash, levels.join(', '), places])}`)
  const json = `[\n${lines.join(',\n')}\n]\n`
  if (option !== '--check') writeFileSync(OUTPUT, json)
  else if (readFileSync(OUTPUT, 'utf8') !== json) {
    console.error('test/conformance/normative-statements.json is not what this clone says: run without --check, and see the difference.')
    process.exitCode = 1
  }
}
