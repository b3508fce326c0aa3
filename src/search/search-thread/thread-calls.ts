/** What the server and the thread of search say to each other. */
import type { MemoryChange, MemorySize, RankReply, RankRequest, SnippetRequest } from '../../db/search-memory/ranker.js'
import type { EmbeddingText, EmbedOptions } from '../embedder.js'

/** Each with its question and its answer. */
export interface ThreadCalls {
  embed: { question: { texts: readonly EmbeddingText[], kind: EmbedOptions['kind'] }, answer: Float32Array[] }
  explain: { question: SnippetRequest, answer: Map<string, string> }
  /** The answer is the number of the memory, which the calls about it have. */
  begin: { question: undefined, answer: number }
  apply: { question: MemoryChange & { memory: number }, answer: MemorySize }
  rank: { question: { request: RankRequest, memory: number }, answer: RankReply }
  explainRanked: { question: SnippetRequest & { revision: number, memory: number }, answer: Map<string, string> }
}

export type CallName = keyof ThreadCalls

type CallMessage = { [Name in CallName]: { id: number, name: Name, question: ThreadCalls[Name]['question'] } }[CallName]

/** Whether a call embeds documents: nobody waits for its answer, and it may take long. */
export const isIndexing = (name: CallName, question: ThreadCalls[CallName]['question']): boolean =>
  name === 'embed' && question !== undefined && 'kind' in question && question.kind === 'document'

/** To the thread. `cancel`: nobody waits for the answer of that call any more. */
export type ThreadMessage = CallMessage | { cancel: number }

/** From the thread; `lost`: the memory that the call is about is gone. */
export type ThreadAnswer =
  { id: number, value: unknown } | { id: number, lost: true } | { id: number, error: { name: string, message: string } }
