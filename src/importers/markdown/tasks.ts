/** Reads the checkboxes of lists as tasks, with the text below each. */
import { oneLine, type HeadingBlock, type ListItem, type MarkdownDocument } from './blocks.js'
import type { MarkdownFile } from './markdown-file.js'

export interface TaskBox {
  /** The character between the brackets. */
  mark: string
  /** `- [ ]*` marks an optional task. */
  optional: boolean
  /** The text after the box, on one line, with its markup. */
  text: string
  line: number
  endLine: number
  bodyLine: number
  /** The nearest task that contains this one. */
  parent: TaskBox | undefined
  /** The headings above it, from the highest level. */
  headings: readonly HeadingBlock[]
  /** The bold line above its list, such as `**Acceptance Criteria:**`; '' when there is none. */
  label: string
  /** Its number, for an item of an ordered list. */
  number: string | undefined
  /** The id at the beginning of its text, as the format writes one. */
  id: TaskId | undefined
}

const BOX = /^\[([ \u00a0xX~\-/>!?*✓✔])\](\*?)(?:[ \t]+|$)([\s\S]*)$/
const BOX_LINE = /^\s*(?:[-*+]|\d+[.)])\s+(\[[ xX~\-/>!?*✓✔]\]\*?\s+\S.*)$/

const LABEL = /^(?:\*\*[^*\n]+\*\*|__[^_\n]+__)\s*[:：]?$/

const LEGEND = /\b(?:legend|notation|status (?:key|indicators?|markers?)|task status|format)\b|凡例/i
const MAX_LEGEND_TEXT = 60

/** In the order of the document. Boxes in code fences, comments and legends do not count. */
export const readTasks = (
  { blocks }: MarkdownDocument, idOf: (box: TaskBox) => TaskId | undefined = () => undefined
): TaskBox[] => {
  const tasks: TaskBox[] = []
  const byItem = new Map<ListItem, TaskBox>()
  let headings: HeadingBlock[] = []
  let label = ''
  const parentOf = (item: ListItem | undefined): TaskBox | undefined =>
    item && (byItem.get(item) ?? parentOf(item.parent))
  const add = (
    text: string, place: Pick<TaskBox, 'line' | 'endLine' | 'bodyLine' | 'parent'> & { number?: string | undefined }
  ): TaskBox | undefined => {
    const [, mark = ' ', star, rest = ''] = BOX.exec(text) ?? []
    if (star === undefined || rest.trim() === '') return undefined
    const task: TaskBox = {
      mark: mark === '\u00a0' ? ' ' : mark,
      optional: star === '*',
      text: oneLine(rest),
      headings,
      label,
      number: undefined,
      id: undefined,
      ...place
    }
    task.id = idOf(task)
    tasks.push(task)
    return task
  }
  for (const block of blocks) {
    if (block.kind === 'paragraph' && block.item === undefined) label = LABEL.test(block.text.trim()) ? block.text : ''
    if (block.kind === 'heading') {
      headings = [...headings.filter(({ level }) => level < block.level), block]
      label = ''
    } else if (block.kind === 'item') {
      const [own, ...inner] = boxLines(block)
      const { line, endLine, number } = block
      const bodyLine = inner[0]?.line ?? block.bodyLine
      const task = own && add(own.text, { line, endLine, bodyLine, parent: parentOf(block.parent), number })
      if (task) byItem.set(block, task)
      for (const { text, ...place } of inner) {
        add(text, { ...place, bodyLine: place.endLine + 1, parent: task ?? parentOf(block) })
      }
    } else if (block.kind === 'paragraph') {
      // To the parser, a box that is indented too deep for a list is part of a paragraph.
      for (const { text, line } of paragraphBoxes(block.text, block.line)) {
        add(text, { line, endLine: line, bodyLine: line + 1, parent: parentOf(block.item) })
      }
    }
  }
  return withoutLegends(tasks)
}

/** A legend explains each mark once, below a heading that says so. */
const withoutLegends = (tasks: TaskBox[]): TaskBox[] => {
  const legends = new Map<HeadingBlock | undefined, TaskBox[]>()
  for (const task of tasks) {
    const heading = task.headings.at(-1)
    if (!heading || heading.level === 1 || !LEGEND.test(heading.text)) continue
    const boxes = legends.get(heading) ?? []
    boxes.push(task)
    legends.set(heading, boxes)
  }
  const explained = new Set([...legends.values()].filter((boxes) =>
    new Set(boxes.map(({ mark }) => mark)).size === boxes.length &&
    boxes.every(({ text }) => text.length <= MAX_LEGEND_TEXT)).flat())
  return tasks.filter((task) => !explained.has(task))
}

/** The item's own text, then each box in its further lines, with the lines that continue it. */
const boxLines = (item: ListItem): Array<{ text: string; line: number; endLine: number }> => {
  const [first = '', ...rest] = item.text.split('\n')
  let last = { text: first, line: item.line, endLine: item.line }
  const found = [last]
  for (const [index, line] of rest.entries()) {
    const box = BOX_LINE.exec(line)?.[1]
    if (box !== undefined) {
      last = { text: box, line: item.line + index + 1, endLine: item.line + index + 1 }
      found.push(last)
    } else {
      last.text += `\n${line}`
      last.endLine = item.line + index + 1
    }
  }
  return found
}

const paragraphBoxes = (text: string, line: number): Array<{ text: string; line: number }> =>
  text.split('\n').flatMap((row, index) => {
    const box = BOX_LINE.exec(row)?.[1]
    return box === undefined ? [] : [{ text: box, line: line + index }]
  })

/** The lines below a task without those of the given tasks, dedented. */
export const taskBody = (
  { lines, bodyLine: first }: MarkdownFile, task: TaskBox, without: readonly TaskBox[]
): string => {
  const { bodyLine, endLine } = task
  const inside = without.filter((other) => other !== task && other.line <= endLine && other.endLine >= bodyLine)
  return dedent(lines.slice(bodyLine - first, Math.max(endLine + 1, bodyLine) - first).filter((_, index) =>
    !inside.some(({ line, endLine: last }) => bodyLine + index >= line && bodyLine + index <= last)))
}

/** Joins the lines without their common indentation, trailing white space and blank lines at both ends. */
const dedent = (lines: readonly string[]): string => {
  const indentOf = (line: string): number => line.search(/\S|$/)
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf))
  return lines
    .map((line) => line.slice(Math.min(indent, indentOf(line))).trimEnd())
    .join('\n')
    .replace(/^\n+|\s+$/g, '')
}

const TASK_ID = new RegExp(
  /^[*_`~[(]*([Tt]-?\d+(?:[.-]\d+)*(?:[A-Za-z]|-[A-Z]{1,10})?)[\])]?[*_`~]*[:.]?[*_]*\s+/.source +
  /|^[*_`~[(]*(\d+(?:\.\d+)+[A-Za-z]?|\d+(?=[.)]))[.):]?[*_`~\])]*[:.]?\s+/.source
)

/** `length`: of the id with its marks, in characters. */
export interface TaskId {
  id: string
  length: number
}

const found = (pattern: RegExp, text: string): TaskId | undefined => {
  const [whole = '', one, other] = pattern.exec(text) ?? []
  const id = one ?? other
  return id === undefined ? undefined : { id, length: whole.length }
}

/** The id at the start of a task's text, such as `T012`, `T012-MIN` or `**T001.2**:`. */
export const taskId = (text: string): TaskId | undefined => found(TASK_ID, text)

const NUMBERED = /^[*_`]*(?:Task\s+)?(\d+(?:\.\d+)+[a-z]?|\d+[a-z]?(?=[*_`]*[.):：]))[*_`]*[.):：]*[*_]*\s+/i

/** The number at the start of a task's text, such as `1.`, `2.3` or `**4.1**`. */
export const numberedId = (text: string): TaskId | undefined => found(NUMBERED, text)
