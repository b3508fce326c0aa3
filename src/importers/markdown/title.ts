/** Finds the title of a feature in the first headings of its documents. */
import { oneLine, type Block } from './blocks.js'
import { titleHeading } from './sections.js'

/** Words for the kind of a document, which are not part of the title. */
const KINDS = [
  'feature specification',
  'feature spec',
  'functional specification',
  'technical specification',
  'specification',
  'spec',
  'feature',
  'implementation plan',
  'technical plan',
  'plan',
  'implementation tasks',
  'task breakdown',
  'task list',
  'tasks',
  'todo',
  'change proposal',
  'change',
  'proposal',
  'technical design document',
  'technical design',
  'design document',
  'design doc',
  'design',
  'requirements document',
  'requirements specification',
  'requirements',
  'bugfix requirements document',
  'bugfix requirements',
  'bugfix',
  'bug fix',
  'research',
  'data model',
  'quickstart',
  '実装計画',
  '実装タスク',
  'タスクリスト',
  'タスク一覧',
  'タスク',
  '設計書',
  '技術設計書',
  '技術設計',
  '設計',
  '要件定義書',
  '要件定義',
  '要件',
  '仕様書',
  '仕様',
  '需求文档',
  '设计文档',
  '实现计划',
  '实施计划',
  '任务列表',
  '要求文件'
]
const KIND = new RegExp(`^(?:${KINDS.join('|')})$`, 'i')
const PREFIX = new RegExp(`^(?:${KINDS.join('|')})\\s*(?:[:：]|\\s[-–—]\\s|[–—])\\s*(.*)$`, 'i')
// In these languages the kind of a document comes last.
const SUFFIX =
  /\s*の?(?:実装計画|実装タスク|タスクリスト|タスク一覧|技術設計書|設計書|要件定義書|要件定義|仕様書|需求文档|设计文档|实施计划|任务列表)$/u
const UNFILLED = /\[(?:feature|project|name|title|short|change)[^\]]*\]|\{\{.*\}\}|^\[[^\]]*\]$|<[a-z][a-z _-]*>/i

/** The heading without the kind of the document; '' when nothing is left, or for text of a template. */
export const titleOf = (heading: string): string => {
  let title = oneLine(heading).replace(/^#+\s*/, '')
  for (let match = PREFIX.exec(title); match; match = PREFIX.exec(title)) title = (match[1] ?? '').trim()
  title = plainText(title).replace(SUFFIX, '')
  return title === '' || KIND.test(title) || UNFILLED.test(title) ? '' : title
}

/** The title of the first document that has one, else the folder's name. */
export const featureTitle = (documents: ReadonlyArray<readonly Block[] | undefined>, folder: string): string => {
  for (const blocks of documents) {
    const title = titleOf((blocks && titleHeading(blocks)?.text) ?? '')
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
