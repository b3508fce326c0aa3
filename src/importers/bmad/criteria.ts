/** Reads the acceptance criteria of a BMAD story, and which of them a task names. */
import type { Criterion } from '../../planning/records.js'
import { oneLine, type Block } from '../markdown/blocks.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'

const TITLE = /^[*_]{0,2}(?:[\d.]+\s*)?acceptance criteria(?:\s*\([^)]*\))?[*_]{0,2}\s*[:：]?[*_]{0,2}/i
/** A bold line that begins another part of a story. */
const LABEL = /^\*\*(?!(?:AC[-\s]?\d|given|when|then|and|but)\b)[^*\n]{2,60}(?:\*\*\s*[:：]|[:：]\s*\*\*)/i
const CONTINUED = /^[*_]*(?:when|then|and|but)\b/i

/** The criteria below "Acceptance Criteria", a heading or a bold line, by number: headings, a list or sentences. */
export const criteriaIn = ({ lines, bodyLine }: MarkdownFile, blocks: readonly Block[]): Map<string, Criterion> => {
  const start = blocks.findIndex((block) => 'text' in block && block.kind !== 'item' && TITLE.test(block.text))
  const title = blocks[start]
  if (title?.kind !== 'heading' && title?.kind !== 'paragraph') return new Map()
  const level = title.kind === 'heading' ? title.level : 6
  const length = blocks.slice(start + 1).findIndex((block) => block.kind === 'heading'
    ? block.level <= level
    : block.kind === 'paragraph' && !block.item && LABEL.test(block.text))
  const below = blocks.slice(start + 1, length === -1 ? undefined : start + 1 + length)
  const headings = below.filter((block) => block.kind === 'heading')
  const items = below.filter((block) => block.kind === 'item' && !block.parent && !CONTINUED.test(block.text))
  const texts: string[] = []
  const numbers: Array<string | undefined> = []
  const parts = headings.length > 0 ? headings : items
  for (const [index, part] of parts.entries()) {
    const last = below[below.indexOf(parts[index + 1] ?? part) - 1] ?? below.at(-1)
    const end = part.kind === 'item' ? part.endLine : parts[index + 1] ? last?.line : below.at(-1)?.line
    texts.push(oneLine(lines.slice(part.line - bodyLine, (end ?? part.line) - bodyLine + 1).join(' ')))
    numbers.push(part.kind === 'item' ? part.number : undefined)
  }
  const loose = [title.text.replace(TITLE, ''), ...below.map((one) => 'text' in one ? one.text : '')]
  for (const text of parts.length > 0 ? [] : loose.map(oneLine).filter(Boolean)) {
    if (CONTINUED.test(text) && texts.length > 0) texts.push(`${texts.pop()} ${text}`)
    else texts.push(text)
  }
  return new Map(texts.map((whole, index) => {
    const [, mark = '', text = whole] = /^(?:[-*+]|\d+[.)]|#+)\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(whole) ?? []
    const own = /^[*_]*(?:AC[-\s#]*|#)(\d+)/i.exec(text)?.[1]
    return [own ?? numbers[index] ?? String(index + 1), { text, met: /x/i.test(mark) }]
  }))
}

const NAMED = /[([]\s*ACs?\s*[:#]?\s*((?:#|AC-?|all\b|\d|[\s,;&–-]|and\b|to\b)+)/gi

/** The criteria that a text names, such as `(AC: #1, #3-5)` or `(AC: all)`. */
export const namedIn = (text: string, criteria: ReadonlyMap<string, Criterion>): Criterion[] => {
  const named = [...text.matchAll(NAMED)].map(([, list = '']) => list.replaceAll(/#|AC-?/gi, ''))
  const spans = named.flatMap((list) => [...list.matchAll(/(\d+)(?:\s*(?:[-–]|to)\s*(\d+))?/g)])
  const isNamed = (number: string): boolean => named.some((list) => /\ball\b/i.test(list)) ||
    spans.some(([, from, to = from]) => Number(number) >= Number(from) && Number(number) <= Number(to))
  return [...criteria].flatMap(([number, criterion]) => isNamed(number) ? [criterion] : [])
}
