/** Draws markdown that the server made into a tree: text stays text, whatever it contains. */
import type { ComponentChildren } from 'preact'
import type { MarkdownNode } from '../../../administration/views/markdown-node.js'
import './markdown.css'

interface MarkdownProps {
  tree: readonly MarkdownNode[]
  /** The level at which headings of level 1 are drawn, 2 to 6. */
  level?: number
  /** Begins the ids of headings, so that several texts of a page do not share one. */
  prefix?: string
}

type DrawContext = Required<Omit<MarkdownProps, 'tree'>>

export const Markdown = ({ tree, level = 3, prefix = '' }: MarkdownProps) => (
  <div class='markdown'>{draw(tree, { level, prefix })}</div>
)

const draw = (nodes: readonly MarkdownNode[] | undefined, context: DrawContext): ComponentChildren =>
  nodes?.map((node, at) => <Node key={at} node={node} context={context} />)

export const headingId = (prefix: string, id: string): string => `${prefix}${id}`

const Node = ({ node, context }: { node: MarkdownNode, context: DrawContext }) => {
  const children = draw(node.children, context)
  switch (node.t) {
    case 'text': return <>{node.text}</>
    case 'h': {
      const level = Math.min(6, Math.max(1, (node.level ?? 1) + context.level - 1))
      const Heading = `h${level}` as 'h2'
      return <Heading id={node.id === undefined ? undefined : headingId(context.prefix, node.id)}>{children}</Heading>
    }
    case 'ol': return <ol start={node.start}>{children}</ol>
    case 'code': return <code>{node.text}</code>
    case 'pre': return (
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
      <pre tabIndex={0} role='group' aria-label={node.lang ? `Code, ${node.lang}` : 'Code'}>
        <code>{node.text}</code>
      </pre>
    )
    case 'table': return (
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
      <div class='markdown-table' tabIndex={0} role='group' aria-label='Table'>
        <table><tbody>{children}</tbody></table>
      </div>
    )
    case 'th': return <th scope='col'>{children}</th>
    case 'a': return node.href === undefined
      ? <>{children}</>
      : <a href={node.href} target='_blank' rel='noreferrer noopener'>{children}</a>
    case 'p': case 'ul': case 'li': case 'tr': case 'td': case 'em': case 'strong': case 'del': case 'blockquote':
    case 'br': case 'hr': {
      const Tag = node.t
      return <Tag>{children}</Tag>
    }
    default: return <>{children}</>
  }
}
