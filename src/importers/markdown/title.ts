/** Finds the title of a feature in the first headings of its documents. */
import { oneLine } from './blocks.js'
import type { MarkdownFile } from './markdown-file.js'
import { fieldOf, titleHeading } from './sections.js'

/** Words for the kind of a document, which are not part of the title. */
const KINDS = [
  'feature specification', 'feature spec', 'functional specification', 'technical specification', 'specification',
  'spec', 'feature', 'implementation plan', 'technical plan', 'plan', 'implementation tasks', 'task breakdown',
  'task list', 'tasks', 'todo', 'change proposal', 'change', 'proposal', 'technical design document',
  'technical design', 'design document', 'design doc', 'design', 'spec requirements document', 'spec tasks',
  'tasks document',
  'requirements document', 'requirements specification', 'requirements', 'bugfix requirements document',
  'bugfix requirements', 'bugfix', 'bug fix', 'research', 'data model', 'quickstart', '実装計画', '実装タスク', 'タスクリスト',
  'タスク一覧', 'タスク', '設計書', '技術設計書', '技術設計', '設計', '要件定義書', '要件定義', '要件', '仕様書', '仕様', '需求文档', '设计文档', '实现计划', '实施计划',
  '任务列表', '要求文件', '变更', '変更', '提案'
]
const KIND = new RegExp(`^(?:${KINDS.join('|')})$`, 'i')
const PREFIX = new RegExp(`^(?:${KINDS.join('|')})\\s*(?:[:：]|\\s[-–—]\\s|[–—])\\s*(.*)$`, 'i')
// In these languages the kind of a document comes last.
const SUFFIX =
  /\s*の?(?:実装計画|実装タスク|タスクリスト|タスク一覧|技術設計書|設計書|要件定義書|要件定義|仕様書|需求文档|设计文档|实施计划|任务列表)$/u
/** Of the kinds, only these end a title: a team may change a data model or fix a bug. */
const LAST = new RegExp(
  `(?:\\s+[-–—](?:\\s+\\w+)?)?\\s+(?:${KINDS.filter((kind) => / (?:document|doc|specification|spec|plan|tasks|list|breakdown)$/.test(kind)).join('|')})$`,
  'i'
)
/** A document named `requirements.md` may end its title with that word. */
const LAST_IN: Readonly<Record<string, RegExp>> = {
  'requirements.md': /\s+requirements$/i,
  'design.md': /\s+design$/i,
  'tasks.md': /\s+tasks$/i,
  'plan.md': /\s+plan$/i,
  'spec.md': /(?:\s+[-–—](?:\s+\w+)?)?\s+spec(?:ification)?$/i
}
/** The kind in a language that the list has not. */
const OTHER_PREFIX =
  /^[^:：]{0,30}(?:especificaci|especificaç|spécificat|spezifikat|спецификац|規格|规格|规范|명세|計畫|计划|任務|任务)[^:：]{0,30}[:：]\s*/iu
const NOTHING =
  /^(?:n\/?a|none|tb[ad]|to be (?:determined|decided|defined)|todo|untitled|unnamed|\?+|\.{2,}|…|[-–—_*]+|\(?fill (?:me |this )?in\b.*)$/i
const UNFILLED = /\[(?:feature|project|name|title|short|change)[^\]]*\]|\{\{.*\}\}|^\[[^\]]*\]$|<[a-z][a-z _-]*>/i

/** The heading without the kind of the document `file`; '' when nothing is left, or for text of a template. */
export const titleOf = (heading: string, file = ''): string => {
  let title = oneLine(heading).replace(/^#+\s*/, '')
  for (let match = PREFIX.exec(title); match; match = PREFIX.exec(title)) title = (match[1] ?? '').trim()
  title = plainText(title).replace(SUFFIX, '').replace(OTHER_PREFIX, '')
  if (KIND.test(title) || UNFILLED.test(title) || isNothing(title)) return ''
  return title.replace(LAST, '').replace(LAST_IN[file] ?? LAST, '')
}

/** Whether a title says that there is none, such as `N/A` or `TBD`. */
export const isNothing = (title: string): boolean => title === '' || NOTHING.test(title)

export const featureTitle = (documents: ReadonlyArray<MarkdownFile | undefined>, folder: string): string => {
  for (const file of documents) {
    if (file === undefined) continue
    const name = file.path.slice(file.path.lastIndexOf('/') + 1)
    const heading = titleHeading(file.blocks)
    const field = plainText(fieldOf(file.body, 'Spec'))
    const title =
      // A list of tasks without a title begins with its first group.
      (heading && (heading.level === 1 || name !== 'tasks.md') ? titleOf(heading.text, name) : '') ||
      (/\.md\b|\//.test(field) ? '' : titleOf(field))
    if (title !== '') return title
  }
  return nameAsTitle(folder)
}

/** A folder's or file's name without number and date, hyphens as spaces. */
export const nameAsTitle = (name: string): string => {
  const base = name.replace(/\.(md|markdown|mdx|rst|txt|json|csv|ya?ml)$/i, '')
  const bare = base.replace(/^(?:\d{4}-\d{2}-\d{2}|\d{8}|[A-Za-z]{0,6}-?\d+)[-_ ]+/, '')
  return (bare === '' ? base : bare).replaceAll(/[-_]+/g, ' ').trim() || name
}

/** The text without marks of emphasis, code and links. */
export const plainText = (text: string): string =>
  oneLine(
    text
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/(\*\*|__)(.+?)\1/g, '$2')
      .replaceAll(/(?<![\w*])\*([^*]+)\*(?![\w*])/g, '$1')
      .replaceAll(/`([^`]*)`/g, '$1')
      .replaceAll(/~~(.+?)~~/g, '$1')
  )
