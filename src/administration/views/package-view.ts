/** One requirement package as its page shows it: the text as a tree with its headings, and as it is. */
import type { RequirementPackage } from '../../planning/records.js'
import type { ExplorationDetail } from '../../planning/store.js'
import { markdownTree } from './markdown-tree.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { createWrittenBytes } from './written-bytes.js'

export interface PackageParts { exploration: ExplorationDetail, document: RequirementPackage }

/** Returns the body of the reply. `cut` says that the tree holds only the beginning of the text. */
export const packageView = (
  { exploration, document }: PackageParts
): ResponseOf<PageOperations['GET /explorations/:id/packages/:type']> => {
  const { markdown, artifact_type: artifactType, version, updated_at: updatedAt } = document
  const { tree, toc, cut } = markdownTree(markdown, createWrittenBytes())
  return {
    exploration_id: exploration.id,
    exploration_title: exploration.title,
    workspace: exploration.workspace,
    artifact_type: artifactType,
    ...(document.title !== undefined && { title: document.title }),
    version,
    updated_at: updatedAt,
    total_chars: markdown.length,
    markdown,
    tree,
    toc,
    ...(cut && { cut })
  }
}
