/** Finds parts of a document by their headings. */
import type { Block, HeadingBlock } from './blocks.js'
import type { MarkdownFile } from './markdown-file.js'

/** The raw text below a heading, up to the next one of its level or above; '' when there is no such heading. */
export const sectionText = (file: MarkdownFile, title: RegExp): string => {
  const heading = file.blocks.find((block): block is HeadingBlock => block.kind === 'heading' && title.test(block.text))
  return heading ? textBelow(file, heading) : ''
}

/** The texts of sections by what they are; `titles` has the words that their headings begin with, as a pattern. */
export const summariesIn = (
  file: MarkdownFile | undefined, titles: Readonly<Record<string, string>>
): Array<{ kind: string; text: string }> => Object.entries(titles).map(([kind, words]) => {
  const title = new RegExp(`^(?:[\\d.]+\\s*)?(?:${words})(?![a-z])`, 'i')
  return { kind, text: file ? sectionText(file, title) : '' }
})

export const textBelow = ({ blocks, lines, bodyLine }: MarkdownFile, heading: HeadingBlock): string => {
  const next = blocks.find(
    (block) => block.kind === 'heading' && block.line > heading.line && block.level <= heading.level
  )
  return lines
    .slice(heading.line - bodyLine + 1, next ? next.line - bodyLine : undefined)
    .join('\n')
    .trim()
}

export const sectionBlocks = (blocks: readonly Block[], heading: HeadingBlock): Block[] => {
  const start = blocks.indexOf(heading) + 1
  const end = blocks.findIndex(
    (block, index) => index >= start && block.kind === 'heading' && block.level <= heading.level
  )
  return blocks.slice(start, end === -1 ? undefined : end)
}

/** Headings that many documents have, and that are no title. */
const SECTION = new RegExp(
  String.raw`^(?:[\d.]+\s*)?(?:abstract|acceptance criteria|background|change(?: id)?|consequences|context|decision|` +
  String.raw`description|(?:detailed )?design|(?:non-?)?goals|impact|introduction|metadata|motivation|objectives?|` +
  String.raw`overview|problem(?: statement)?|purpose|requirements|scope|status|success criteria|summary|tasks?|` +
  String.raw`table of contents|technical context|user (?:scenarios|stories)|what changes|why)(?:\s+(?:&|and)\s.*)?$`,
  'i'
)

/** The first heading of level 1; without one, a first heading that stands above sections or beside known ones. */
export const titleHeading = (blocks: readonly Block[]): HeadingBlock | undefined => {
  const headings = blocks.filter((block): block is HeadingBlock => block.kind === 'heading')
  const top = headings.find(({ level }) => level === 1)
  const [first, ...others] = headings
  if (top || first === undefined || first !== blocks[0] || SECTION.test(first.text)) return top
  const beside = others.filter(({ level }) => level <= first.level)
  return beside.length === 0 || beside.some(({ text }) => SECTION.test(text)) ? first : undefined
}

/** The value of a line `**Status**: Draft` or `- Status: Draft` near the beginning; '' when there is none. */
export const fieldOf = (text: string, name: string): string => {
  const line = `^[ \\t]*(?:[-*>][ \\t]+)?[*_]{0,2}${name}[*_]{0,2}[ \\t]*[:：][*_]{0,2}[ \\t]*(\\S.*)$`
  const pattern = new RegExp(line, 'imu')
  return (pattern.exec(text.slice(0, 20_000))?.[1] ?? '').replaceAll(/^[*_]{1,2}|[*_]{1,2}$/g, '').trim()
}
