/** Finds the headings of a markdown document and their offsets. */

export interface Heading {
  level: number
  title: string
  /** In UTF-16 code units from the start of the document. */
  offset: number
}

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const MAX_LINE_LENGTH = 300

/** Returns the ATX headings outside of fences in order; at most 300 characters of each line are read. */
export const headings = (markdown: string): Heading[] => {
  const found: Heading[] = []
  let fence: string | undefined
  for (let offset = 0, end = 0; offset < markdown.length; offset = end + 1) {
    end = markdown.indexOf('\n', offset)
    if (end === -1) end = markdown.length
    const line = markdown.slice(offset, Math.min(end, offset + MAX_LINE_LENGTH)).trimEnd()
    const marks = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      const closes = marks !== undefined && marks.startsWith(fence) && line.trim() === marks
      if (closes) fence = undefined
    } else if (marks !== undefined) {
      fence = marks
    } else {
      const heading = HEADING.exec(line)
      if (heading) found.push({ level: heading[1]?.length ?? 1, title: withoutClosing(heading[2] ?? ''), offset })
    }
  }
  return found
}

const withoutClosing = (title: string): string => {
  const trimmed = title.trim()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  const rest = trimmed.slice(0, end)
  return end < trimmed.length && (rest === '' || /[ \t]$/.test(rest)) ? rest.trim() : trimmed
}

/** Returns at most `limit` headings. Omits the deepest levels first, so that the rest still spans the document. */
export const outline = (markdown: string, limit: number): { shown: Heading[], omitted: number } => {
  const all = headings(markdown)
  let selection = all
  for (let level = 5; selection.length > limit && level > 0; level--) {
    selection = all.filter((heading) => heading.level <= level)
  }
  selection = selection.slice(0, limit)
  return { shown: selection, omitted: all.length - selection.length }
}
