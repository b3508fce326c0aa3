// Explorations of an import file, queries made of them, and as many recombined ones as wanted, with people who see them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { seeded } from '../scale/random.mjs'
import { temporaryFolder } from './builds.mjs'

const MAX_QUERY_LENGTH = 300
const QUERY_WORDS = 10
const NOW = '2026-01-01T00:00:00.000Z'

/** @param {string} kind a hexadecimal digit */
export const idOf = (kind, n) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** The explorations and the ids of the workspaces of an import file, plain or gzip. */
export const readFileOf = (path) => {
  const bytes = readFileSync(path)
  const records = `${path.endsWith('.gz') ? gunzipSync(bytes) : bytes}`.split('\n').filter(Boolean).map((line) => JSON.parse(line))
  const of = (type) => records.filter((record) => record.type === type)
  return { explorations: of('exploration'), workspaces: of('workspace').map(({ id }) => id) }
}

const sentencesOf = ({ title, summaries = [] }) => {
  const sentences = summaries.flatMap(({ text }) => text.split(/(?<=[.!?])\s+|\n+/))
    .filter((sentence) => sentence.length > 30 && sentence.length < 400)
  return sentences.length === 0 ? [title] : sentences
}

/** So many queries, each another one: a title and parts of sentences. */
export const queriesOf = (explorations, count) => {
  const random = seeded(11)
  const one = (list) => list[Math.floor(random() * list.length)]
  return Array.from({ length: count }, (_, n) => {
    const exploration = one(explorations)
    const words = one(sentencesOf(exploration)).split(/\s+/)
    const start = Math.floor(random() * Math.max(1, words.length - QUERY_WORDS))
    const part = words.slice(start, start + QUERY_WORDS).join(' ')
    return (n % 3 === 0 ? `${exploration.title} ${words.slice(0, 3).join(' ')}` : part).slice(0, MAX_QUERY_LENGTH)
  })
}

/** `count` explorations, each made of two others of the file; `workspaceOf` says by its number where one belongs. */
export const recombined = (explorations, count, workspaceOf) => {
  const random = seeded(7)
  const one = (list) => list[Math.floor(random() * list.length)]
  return Array.from({ length: count }, (_, n) => {
    const [subject, angle] = [one(explorations), one(explorations)]
    const [own, other] = [sentencesOf(subject), sentencesOf(angle)]
    const text = (...some) => some.map(one).join(' ')
    return {
      type: 'exploration',
      id: idOf('e', n),
      workspace_id: workspaceOf(n),
      title: `${subject.title.slice(0, 100)}, ${angle.title.slice(0, 60)} (${n})`,
      status: one(['draft', 'exploring', 'ready', 'delivered']),
      tags: subject.tags.slice(0, 3),
      url: `https://planning.example.com/explorations/${n}`,
      summaries: [
        { kind: 'summary', text: text(own, own, own) }, { kind: 'problem', text: text(own, other, other) }
      ],
      questions: [{ id: 'q1', question: text(other), answer: text(own), status: 'answered' }],
      created_at: NOW,
      updated_at: NOW
    }
  })
}

/** The records of so many workspaces. */
export const workspacesOf = (ids) => ids.map((id, n) => ({
  type: 'workspace', id, slug: `bench-${n}`, name: `Bench ${n}`, created_at: NOW
}))

/** The records of a person who sees these workspaces. */
export const readerOf = (id, workspaces) => [
  { type: 'user', id, email: `reader-${id}@bench.example`, name: 'Reader', kind: 'person' },
  ...workspaces.map((workspace) => ({ type: 'membership', user_id: id, workspace_id: workspace, role: 'viewer' }))
]

/** An import file of these records, which is there until this process ends. */
export const importFileOf = (records) => {
  const path = join(temporaryFolder(), 'records.ndjson')
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}
