/** The engine of search that works in the thread. */
import type { SearchEngine } from '../search-engine.js'
import type { SearchThread } from './search-thread.js'

/**
 * Returns the engine. Its methods reject with what the thread's `call` rejects with; those of a memory with
 * `RankerLost` when that thread has ended, or began another memory.
 */
export const threadEngine = (thread: Pick<SearchThread, 'call' | 'generation'>): SearchEngine => ({
  embed: async (texts, { kind, signal }) => await thread.call('embed', { texts, kind }, { signal }),

  explain: async (request, options) => await thread.call('explain', request, options),

  async begin () {
    const memory = await thread.call('begin', undefined)
    const { generation } = thread
    return {
      apply: async (change) => await thread.call('apply', { ...change, memory }, { generation }),
      rank: async (request, { signal } = {}) =>
        await thread.call('rank', { request, memory }, { signal, generation }),
      explain: async (request, options) =>
        await thread.call('explainRanked', { ...request, memory }, { ...options, generation })
    }
  }
})
