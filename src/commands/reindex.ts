/** `reindex` */
import type { IndexState } from '../search/indexer.js'
import { harmless, print } from './print.js'
import { drawProgress } from './progress-bar.js'
import type { Run } from './command-handler.js'
import { withManagement } from './with-management.js'

export const reindex: Run<{ state?: true }> = async ({ state: only, json }, surroundings, flags) => {
  const state = await withManagement(surroundings, flags, async (api) => {
    if (only) return await api.call<IndexState>('GET', '/search-index')
    const bar = await drawProgress(surroundings.stderr, 'search index')
    try {
      return await api.rebuildIndex(bar.show)
    } finally {
      bar.stop()
    }
  })
  print({ ...surroundings, json }, state, describeIndex(state))
}

export const describeIndex = (state: IndexState): string => `Search index: ${indexStands(state)}.`

/** How it stands, in words without a full stop. */
export const indexStands = ({ embedder, state, explorations, pending, answering, reason, questions }: IndexState): string => {
  const of = `${explorations} exploration${explorations === 1 ? '' : 's'}`
  const answers = answering === null ? 'Questions are answered by words alone' : `Questions are answered by ${harmless(answering)}`
  const last = questions === undefined ? '' : `. The last question was answered by words alone: ${harmless(questions)}`
  if (state === 'complete') return `${of}, embedded by ${harmless(embedder)}${last}`
  const waits = `${pending} of ${of} still to be embedded by ${harmless(embedder)}`
  return state === 'building'
    ? `${waits}; a running server goes on with it. ${answers} until then${last}`
    : `${waits}, which waits: ${harmless(reason ?? 'the embedder is away')}. ${answers} until then${last}`
}
