/** `reindex`: rebuilds the search index, or prints its state. */
import type { IndexState } from '../../search/indexer.js'
import { pluralize } from '../../lib/text/text.js'
import { managed } from '../managed.js'
import { stripControlChars } from '../print/print.js'
import { withProgress } from './progress-bar.js'

export const reindex = managed((api, { state: only }: { state?: true }, { stderr }): Promise<IndexState> => only
  ? api.call('GET /search-index')
  : withProgress(stderr, 'search index', (show) => api.work('POST /search-index/rebuild', undefined, show)),
(state) => describeIndex(state))

export const describeIndex = (state: IndexState): string => `Search index: ${indexStands(state)}.`

const VECTORS: Readonly<Record<string, string>> = { builtin: 'built-in vectors', none: 'words alone' }

/** Describes the state of the index, without a full stop at the end. */
export const indexStands = (
  { embedder, state, explorations, pending, answering, reason, questions }: IndexState
): string => {
  const of = pluralize(explorations, 'exploration')
  const answers = answering === null
    ? 'Questions are answered by words alone'
    : `Questions are answered by ${stripControlChars(answering)}`
  const last = questions === undefined
    ? ''
    : `. The last question was answered by words alone: ${stripControlChars(questions)}`
  const vectors = VECTORS[embedder] ?? stripControlChars(embedder)
  if (state === 'complete') return `${of}, indexed (${vectors})${last}`
  const waits = `${pending} of ${of} still to be indexed (${vectors})`
  return state === 'building'
    ? `${waits}; a running server goes on with it. ${answers} until then${last}`
    : `${waits}, which waits: ${stripControlChars(reason ?? 'the embedder is away')}. ${answers} until then${last}`
}
