/**
 * Turns markdown into a small tree that the browser draws without HTML. HTML in the text stays text, links lead to
 * http, https or mailto only, images become links, and depth, length and the bytes that are written are bounded.
 */
import markdownIt from 'markdown-it'
import type { MarkdownNode, MarkdownTag } from './markdown-node.js'
import { markInvisible } from './mark-invisible.js'
import type { WrittenBytes } from './written-bytes.js'

export interface MarkdownTree {
  tree: MarkdownNode[]
  toc: Array<{ level: number, title: string, id: string }>
  /** Whether the tree holds only the beginning of the text. */
  cut: boolean
}

const MAX_CHARS = 200_000
const MAX_NESTING = 20
/** A definition may be named by thousands of links, and each of them has the whole address. */
const MAX_HREF_CHARS = 500

const parser = markdownIt({ html: false, linkify: false, typographer: false, maxNesting: MAX_NESTING })
parser.validateLink = (url) => hrefOf(url) !== undefined

interface Token {
  type: string
  tag: string
  nesting: number
  content: string
  info: string
  children: Token[] | null
  attrGet (name: string): string | number | null
}

/** Block and inline tokens that open a node of the tree. */
const TAGS: Readonly<Record<string, MarkdownTag>> = {
  paragraph_open: 'p',
  heading_open: 'h',
  bullet_list_open: 'ul',
  ordered_list_open: 'ol',
  list_item_open: 'li',
  blockquote_open: 'blockquote',
  table_open: 'table',
  tr_open: 'tr',
  th_open: 'th',
  td_open: 'td',
  em_open: 'em',
  strong_open: 'strong',
  s_open: 'del',
  link_open: 'a'
}

/** Reads `maxChars` UTF-16 code units of the text. */
export const markdownTree = (markdown: string, written: WrittenBytes, maxChars = MAX_CHARS): MarkdownTree => {
  const text = written.exceeded ? '' : markdown.slice(0, maxChars)
  const tree = build(parser.parse(markInvisible(text), {}), written)
  const toc = numberHeadings(tree, written)
  return { tree, toc, cut: text.length < markdown.length || written.exceeded }
}

const build = (tokens: readonly Token[], written: WrittenBytes): MarkdownNode[] => {
  const root: MarkdownNode[] = []
  const open: MarkdownNode[][] = [root]
  const add = (node: MarkdownNode): void => { open.at(-1)?.push(node) }
  for (const token of tokens) {
    const tag = TAGS[token.type]
    if (tag) {
      const node: MarkdownNode = { t: tag, ...detailsOf(token, tag), children: [] }
      if (!written.add(node)) break
      add(node)
      open.push(node.children ?? [])
    } else if (token.nesting === -1 && TAGS[token.type.replace(/_close$/, '_open')]) {
      if (open.length > 1) open.pop()
    } else if (token.type === 'inline') {
      for (const node of build(token.children ?? [], written)) add(node)
    } else {
      const leaf = leafOf(token)
      if (leaf === undefined) continue
      if (!written.add(leaf)) break
      add(leaf)
    }
  }
  return root
}

const leafOf = (token: Token): MarkdownNode | undefined => {
  const { type, content, info } = token
  switch (type) {
    case 'text':
    case 'text_special':
    case 'html_inline': return content === '' ? undefined : { t: 'text', text: content }
    case 'html_block': return { t: 'p', children: [{ t: 'text', text: content }] }
    case 'code_inline': return { t: 'code', text: content }
    case 'code_block': return { t: 'pre', text: content }
    case 'fence': return { t: 'pre', text: content, ...languageOf(info) }
    case 'softbreak': return { t: 'text', text: '\n' }
    case 'hardbreak': return { t: 'br' }
    case 'hr': return { t: 'hr' }
    case 'image': {
      const href = hrefOf(String(token.attrGet('src') ?? ''))
      const text: MarkdownNode = { t: 'text', text: content || 'image' }
      return href === undefined ? text : { t: 'a', href, children: [text] }
    }
    default: return undefined
  }
}

const detailsOf = (token: Token, tag: MarkdownTag): Partial<MarkdownNode> => {
  if (tag === 'h') return { level: Number(token.tag.slice(1)) }
  if (tag === 'a') {
    const href = hrefOf(String(token.attrGet('href') ?? ''))
    return href === undefined ? {} : { href }
  }
  const start = tag === 'ol' ? Number(token.attrGet('start') ?? 1) : 1
  return start === 1 ? {} : { start }
}

const languageOf = (info: string): { lang?: string } => {
  const [lang = ''] = info.trim().split(/\s/)
  return /^[\w+#.-]{1,32}$/.test(lang) ? { lang } : {}
}

/** The address when it is an absolute one of these schemes; browsers would run or resolve others. */
const hrefOf = (url: string): string | undefined => {
  if (url.length > MAX_HREF_CHARS || !/^(?:https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).href
}

const textOf = ({ text = '', children = [] }: MarkdownNode): string => text + children.map(textOf).join('')

const numberHeadings = (tree: readonly MarkdownNode[], written: WrittenBytes): MarkdownTree['toc'] => {
  const slugCounts = new Map<string, number>()
  const toc: MarkdownTree['toc'] = []
  const visit = (nodes: readonly MarkdownNode[]): void => {
    for (const node of nodes) {
      if (node.t !== 'h') visit(node.children ?? [])
      else {
        const title = textOf(node).replaceAll(/\s+/g, ' ').trim()
        const slug = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '').slice(0, 60) ||
          'section'
        const count = slugCounts.get(slug) ?? 0
        slugCounts.set(slug, count + 1)
        // A prefix keeps texts of records from naming elements of the page.
        const id = `h-${slug}${count === 0 ? '' : `--${count + 1}`}`
        const entry = { level: node.level ?? 1, title, id }
        if (!written.add([{ id }, entry])) return
        node.id = id
        toc.push(entry)
      }
    }
  }
  visit(tree)
  return toc
}
