/** Reads the epics of BMAD and their stories: documents with headings such as `## Epic 1: …`, sprint-status.yaml. */
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, sectionBlocks, sectionText, textBelow } from '../markdown/sections.js'
import { nameAsTitle, plainText } from '../markdown/title.js'
import type { SourceText } from '../types.js'
import { criteriaIn } from './criteria.js'
import type { Story } from './story.js'

export interface Epic {
  title: string
  /** The state in sprint-status.yaml. */
  state: string
  /** Its section with the stories; '' when none has any. */
  text: string
  path: string
  line: number
  stories: Map<string, Story>
}

export type Epics = Map<string, Epic>

const EPIC = /^epic\s+(\d+)\b\s*[:：.–—-]?\s*(.*)$/i
const STORY = /^(?:user\s+)?story\s+(\d+)[.-](\d+[a-z]?)\b\s*[:：.–—-]?\s*(.*)$/i

export const epicOf = (epics: Epics, number: string, path: string): Epic => {
  const found: Epic = epics.get(number) ?? { title: '', state: '', text: '', path, line: 1, stories: new Map() }
  epics.set(number, found)
  return found
}

/** Adds the epics and stories that sprint-status.yaml names, by comments `# Epic 1: …` and keys `1-2-name: done`. */
export const readStates = ({ path, text }: SourceText, epics: Epics): void => {
  for (const [index, row] of text.split('\n').entries()) {
    const [, titled, title = ''] = /^\s+#+\s*epic\s+(\d+):\s*(.+)$/i.exec(row) ?? []
    if (titled !== undefined) epicOf(epics, titled, path).title ||= title.trim()
    const [, key = '', words = ''] = /^\s+["']?([\w.-]+)["']?:\s*["']?([\w -]+?)["']?\s*(?:#.*)?$/.exec(row) ?? []
    const epic = /^epic-(\d+)$/.exec(key)?.[1]
    if (epic !== undefined) epicOf(epics, epic, path).state = words
    const [, number, story = '', name = ''] = /^e?(\d+)-(\d+[a-z]?)-(.+)$/.exec(key) ?? []
    const id = `${number}.${story}`
    const known = { id, title: nameAsTitle(name), criteria: new Map(), description: '', words, path, line: index + 1 }
    if (number !== undefined) epicOf(epics, number, path).stories.set(id, known)
  }
}

const isSameTitle = (one: string, other: string): boolean => {
  const [a = '', b = ''] = [one, other].map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''))
  return a.startsWith(b) || b.startsWith(a)
}

/** Adds the epics and stories of a document. What is known already stays: its title and where its status stands. */
export const readEpics = (file: MarkdownFile, epics: Epics): void => {
  let isOther = false
  for (const heading of file.blocks) {
    if (heading.kind !== 'heading') continue
    const blocks = sectionBlocks(file.blocks, heading)
    const [, number, title = ''] = EPIC.exec(plainText(heading.text)) ?? []
    if (number !== undefined) {
      const epic = epicOf(epics, number, file.path)
      // Another epic of the same number, in a document that counts for itself.
      isOther = !isSameTitle(title, epic.title)
      const hasStories = blocks.some((block) => block.kind === 'heading' && STORY.test(plainText(block.text)))
      if (isOther) continue
      epic.title ||= title
      if (epic.text === '' && hasStories) {
        const text = `${'#'.repeat(heading.level)} ${heading.text}\n\n${textBelow(file, heading)}\n`
        Object.assign(epic, { text, path: file.path, line: heading.line })
      }
    }
    const [, epicNumber, storyNumber, name = ''] = STORY.exec(plainText(heading.text)) ?? []
    if (epicNumber === undefined || isOther) continue
    const { stories } = epicOf(epics, epicNumber, file.path)
    const id = `${epicNumber}.${storyNumber}`
    const known = stories.get(id)
    if (known && known.criteria.size > 0) continue
    const first = blocks.find((block) => block.kind === 'paragraph')?.text ?? ''
    stories.set(id, {
      ...statusIn({ ...file, body: textBelow(file, heading) }, heading.line),
      ...known,
      id,
      title: name,
      criteria: criteriaIn(file, blocks),
      description: /acceptance criteria/i.test(first) ? '' : first
    })
  }
}

/** The words of `Status: done`, or of the section "Status" of version 4, and where they stand, else the story. */
export const statusIn = (file: MarkdownFile, line = 1): Pick<Story, 'words' | 'path' | 'line'> => {
  const section = sectionText(file, /^status$/i).split('\n')[0]?.trim() ?? ''
  const words = fieldOf(file.body.split(/^##\s/m)[0] ?? '', 'Status') || (line === 1 ? section : '')
  const from = line - file.bodyLine
  const index = words === '' ? -1 : file.lines.findIndex((row, at) => at >= from && row.includes(words))
  return { words, path: file.path, line: index === -1 ? line : file.bodyLine + index }
}
