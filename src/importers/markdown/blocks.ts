/** Parses markdown into blocks in the order of the document, each with its line number. */
import MarkdownIt from 'markdown-it'

export interface HeadingBlock {
  kind: 'heading'
  level: number
  text: string
  line: number
}
export interface Paragraph {
  kind: 'paragraph'
  text: string
  line: number
  item: ListItem | undefined
  quoted: boolean
}
export interface Table {
  kind: 'table'
  header: string[]
  rows: Array<{ cells: string[]; line: number }>
  line: number
}
export interface ListItem {
  kind: 'item'
  /** The raw text of its first paragraph, with line ends; '' when it begins with another block. */
  text: string
  line: number
  /** The last line that belongs to it. */
  endLine: number
  /** The line after its first paragraph. */
  bodyLine: number
  parent: ListItem | undefined
  /** The number of an item in an ordered list. */
  number: string | undefined
}

export type Block = HeadingBlock | Paragraph | ListItem | Table

export interface MarkdownDocument {
  blocks: Block[]
  /** The text's lines, without line ends. */
  lines: string[]
}

// 'code' is off: text indented too deep for a list counts as a paragraph, as its authors meant it.
// Inline rules never run: the importers read the raw text of a block.
const engine = (html: boolean) => {
  const parser = new MarkdownIt('default', { html, maxNesting: 100 }).disable(['code', 'reference'])
  parser.core.ruler.enableOnly(['normalize', 'block'])
  return parser
}
const withHtml = engine(true)
const withoutHtml = engine(false)

type MarkdownToken = ReturnType<typeof withHtml.parse>[number]

/** Parses a text without front matter (see `splitFrontMatter`). `firstLine` is the number of its first line. */
export const parseMarkdown = (text: string, firstLine = 1): MarkdownDocument => {
  const normal = text.replaceAll(/\r\n?/g, '\n')
  return { blocks: readTokens(withHtml.parse(normal, {}), firstLine), lines: normal.split('\n') }
}

const readTokens = (tokens: readonly MarkdownToken[], firstLine: number): Block[] => {
  const blocks: Block[] = []
  const items: ListItem[] = []
  let quotes = 0
  let table: Table | undefined
  let row: { cells: string[]; line: number } | undefined

  for (const [index, token] of tokens.entries()) {
    const line = firstLine + (token.map?.[0] ?? 0)
    const next = tokens[index + 1]
    switch (token.type) {
      case 'heading_open': {
        const content = withoutComments(next?.content ?? '')
        // Markdown makes a heading of a paragraph above hyphens; authors mean a rule.
        const isRule = token.markup === '-'
        blocks.push(isRule
          ? { kind: 'paragraph', text: content, line, item: items.at(-1), quoted: quotes > 0 }
          : { kind: 'heading', level: Number(token.tag.slice(1)), text: oneLine(content), line })
        break
      }
      case 'list_item_open': {
        const paragraph = next?.type === 'paragraph_open' ? next : undefined
        const item: ListItem = {
          kind: 'item',
          text: withoutComments((paragraph && tokens[index + 2]?.content) ?? ''),
          line,
          endLine: firstLine + (token.map?.[1] ?? 0) - 1,
          bodyLine: firstLine + (paragraph ? paragraph.map?.[1] ?? 0 : token.map?.[0] ?? 0),
          parent: items.at(-1),
          number: token.info || undefined
        }
        items.push(item)
        blocks.push(item)
        break
      }
      case 'list_item_close':
        items.pop()
        break
      case 'blockquote_open':
        quotes++
        break
      case 'blockquote_close':
        quotes--
        break
      case 'paragraph_open': {
        if (tokens[index - 1]?.type === 'list_item_open') break
        const content = withoutComments(next?.content ?? '')
        if (content.trim() !== '' && !content.split('\n').every((row) => LINK_DEFINITION.test(row))) {
          blocks.push({ kind: 'paragraph', text: content, line, item: items.at(-1), quoted: quotes > 0 })
        }
        break
      }
      case 'html_block': {
        // Tags around text are dropped and the text is kept; comments are dropped whole.
        const [comment] = /^\s*<!--[\s\S]*?(?:-->|$)|^/.exec(token.content) ?? ['']
        const skipped = comment.split('\n').length - 1
        blocks.push(...readTokens(withoutHtml.parse(token.content.slice(comment.length), {}), line + skipped))
        break
      }
      case 'table_open':
        table = { kind: 'table', header: [], rows: [], line }
        blocks.push(table)
        break
      case 'tr_open':
        row = { cells: [], line }
        break
      case 'th_open':
        table?.header.push(oneLine(next?.content ?? ''))
        break
      case 'td_open':
        row?.cells.push(withoutComments(next?.content ?? '').trim())
        break
      case 'tr_close':
        if (table && row && row.cells.length > 0) table.rows.push(row)
        break
    }
  }
  return blocks
}

/** Such as `[unresolved]: #questions`. The parser's own rule would also take `[T001]: …`. */
const LINK_DEFINITION = /^\s*\[[^\]]+\]:\s*<?(?:#|\.{0,2}\/|[a-z][a-z+.-]*:\/?)\S*(?:\s+["'(].*)?$/i

const withoutComments = (text: string): string =>
  text.includes('<!--') ? text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').trim() : text

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
