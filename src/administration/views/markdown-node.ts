/** Markdown as a tree, which the server makes and the browser draws. No imports: both sides take the type from here. */

export type MarkdownTag =
  'p' | 'h' | 'ul' | 'ol' | 'li' | 'code' | 'pre' | 'table' | 'tr' | 'th' | 'td' | 'a' | 'em' | 'strong' | 'del' |
  'br' | 'hr' |
  'blockquote' | 'text'

export interface MarkdownNode {
  t: MarkdownTag
  /** Of `text`, `code` and `pre`; plain, with invisible characters marked. */
  text?: string
  /** Of `h`: 1 to 6. */
  level?: number
  /** Of `h`: unique within the tree. */
  id?: string
  /** Of `a`: an http, https or mailto address. */
  href?: string
  /** Of `pre`: the language that the text declares. */
  lang?: string
  /** Of `ol`: the first number, when it is not 1. */
  start?: number
  children?: MarkdownNode[]
}
