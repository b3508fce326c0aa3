/** Planning data of the size at which a costly call costs: many explorations of about 1.5 KB of text, the same each time. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'

const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)
const TEXT_LENGTH = 1500
const SEED = 20_261_122

/** Numbers of [0, 1), the same for the same seed (mulberry32). */
const createRandom = (seed: number): () => number => {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const uuidOf = (n: number): string => {
  const hex = createHash('sha256').update(`exploration ${n}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export interface Many extends Record<'ids' | 'workspaces' | 'words', readonly string[]> { source: Readable }

/** The sample's people and workspaces, and `count` explorations of sentences of its words, as an import reads them. */
export const manyExplorations = (count: number): Many => {
  const sample = readFileSync(SAMPLE, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  const workspaces = sample.filter(({ type }) => type === 'workspace').map(({ id }) => String(id))
  const people = sample.filter(({ type }) => ['workspace', 'user', 'membership'].includes(String(type)))
  const words = [...new Set(JSON.stringify(sample.filter(({ type }) => type === 'exploration')).match(/[a-z]{4,12}/g))]
  const random = createRandom(SEED)
  const word = (): string => words[Math.floor(random() ** 2 * words.length)]!
  const sentences = (length: number): string => {
    let text = ''
    while (text.length < length) text += `${Array.from({ length: 6 + Math.floor(random() * 10) }, word).join(' ')}. `
    return text.trim()
  }
  const ids = Array.from({ length: count }, (_, n) => uuidOf(n))
  const explorations = ids.map((id, n) => ({
    type: 'exploration',
    id,
    workspace_id: workspaces[n % workspaces.length],
    title: `${word()} ${word()} ${word()} ${n}`,
    status: 'ready',
    tags: [word(), word()],
    url: `https://planning.example.com/explorations/${n}`,
    summaries: [{ kind: 'summary', text: sentences(TEXT_LENGTH / 3) }, {
      kind: 'problem', text: sentences(TEXT_LENGTH / 3)
    }],
    questions: [{
      id: 'q1',
      section: 'Scope',
      question: `${sentences(80)}?`,
      answer: sentences(TEXT_LENGTH / 3 - 80),
      status: 'answered'
    }],
    created_at: '2026-01-01T08:00:00.000Z',
    updated_at: new Date(Date.UTC(2026, 5, 1) + n * 1000).toISOString()
  }))
  const lines = function * (): Generator<Buffer> {
    for (const record of [...people, ...explorations]) yield Buffer.from(`${JSON.stringify(record)}\n`)
  }
  return { source: Readable.from(lines()), ids, workspaces, words }
}
