// Explorations as many as wanted, made of the titles, sentences and questions of a real import file; seeded, so that each run has the same.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

const SENTENCES = 6
const SUMMARIES = 2

/** Numbers from 0 to 1 that follow from the seed. */
export const seeded = (seed) => () => {
  seed = seed + 0x6D2B79F5 | 0
  let mixed = Math.imul(seed ^ seed >>> 15, 1 | seed)
  mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
  return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296
}

export const numbered = (kind, n) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Of each exploration of the file what can be taken apart. */
export const readDonors = async (path) => {
  const donors = []
  const bytes = createReadStream(path)
  for await (const line of createInterface({ input: path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })) {
    const record = line === '' ? {} : JSON.parse(line)
    if (record.type !== 'exploration') continue
    const sentences = record.summaries.flatMap(({ text }) => text.split(/(?<=[.!?])\s+|\n+/)).filter((sentence) => sentence.length > 30 && sentence.length < 400)
    if (sentences.length >= SENTENCES) donors.push({ title: record.title.slice(0, 120), tags: record.tags.slice(0, 3), sentences })
  }
  return donors
}

/** `pieces` are the texts that an exploration is made of, with their weights, so that its vector can be added up from theirs. */
export const recombined = function * (donors, count, workspaces, random) {
  const one = (from) => from[Math.floor(random() * from.length)]
  for (let n = 0; n < count; n++) {
    const [subject, angle] = [one(donors), one(donors)]
    // Mostly about one thing, as real ones are.
    const sentences = Array.from({ length: SUMMARIES }, (_, place) =>
      Array.from({ length: SENTENCES / SUMMARIES }, () => one(place === 0 || random() < 0.6 ? subject.sentences : angle.sentences)))
    const [question, answer] = [one(angle.sentences), one(subject.sentences)]
    const pieces = [[subject.title, 3], [angle.title, 1], ...sentences.flatMap((some, place) => some.map((text) => [text, place === 0 ? 2 : 1])), [question, 1], [answer, 1]]
    yield {
      id: numbered('e', n),
      workspace_id: numbered('a', n % workspaces),
      title: `${subject.title}, ${angle.title} (${n})`,
      status: one(['draft', 'exploring', 'ready', 'delivered']),
      tags: subject.tags,
      url: `https://planning.example.com/explorations/${n}-made-of-others`,
      summaries: sentences.map((some, place) => ({ kind: place === 0 ? 'summary' : 'problem', text: some.join(' ') })),
      questions: [{ id: 'q1', question, answer, status: 'answered' }],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      pieces
    }
  }
}
