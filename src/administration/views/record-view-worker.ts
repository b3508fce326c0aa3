/** The thread that makes the answers which hold texts of records. */
import { serveWorker } from '../../lib/async/worker-thread.js'
import type { RequirementPackage } from '../../planning/records.js'
import type { ExplorationDetail } from '../../planning/store.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { explorationView } from './exploration-view.js'
import { markdownTree } from './markdown-tree.js'
import { planView } from './plan-view.js'
import { createWrittenBytes } from './written-bytes.js'

/** A package with its text as a tree; `cut`: only of its beginning. */
const packageView = (
  { exploration, document }: { exploration: ExplorationDetail, document: RequirementPackage }
): ResponseOf<PageOperations['GET /explorations/:id/packages/:type']> => {
  const { tree, toc, cut } = markdownTree(document.markdown, createWrittenBytes())
  const { title, workspace } = exploration
  const facts = { exploration_title: title, workspace, total_chars: document.markdown.length }
  return { ...document, ...facts, tree, toc, ...(cut && { cut }) }
}

const VIEWS = { exploration: explorationView, package: packageView, plan: planView }

export type RecordViews = typeof VIEWS
/** To the thread. */
export type ViewRequest =
  { [Name in keyof RecordViews]: { name: Name, parts: Parameters<RecordViews[Name]>[0] } }[keyof RecordViews]

serveWorker(async ({ name, parts }: ViewRequest) => {
  // The parts are those of the view with this name.
  const view: (parts: never) => object = VIEWS[name]
  return JSON.stringify(view(parts as never))
})
