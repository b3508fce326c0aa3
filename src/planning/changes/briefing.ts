/** What the holder of an item has to know, in few words, with URIs for the rest. */
import { blockquote, ESCAPE_NOTE, quoteId, quoteText } from '../tools/escape-text.js'
import { codePointBoundary } from '../tools/truncate.js'
import type { Change } from './change.js'
import type { ItemFacts } from './change-store.js'

/** In UTF-16 code units. */
const MAX_CHARS = 3000

export const briefing = async ({ store, place }: Change, item: string): Promise<string> => {
  const facts = await store.facts(item)
  const uri = `${place.uriScheme ?? 'service'}://exploration/${place.exploration}`
  const end = `\nAll of it: get_planning_full, get_exploration, ${uri}` +
    facts.packages.map(({ type }) => `, ${uri}/artifact/${encodeURIComponent(type)}`).join('')
  const text = sectionsOf(facts).join('\n')
  const room = MAX_CHARS - end.length
  if (text.length <= room) return text + end
  return `${text.slice(0, codePointBoundary(text, Math.max(0, room - 1)))}…${end}`
}

const sectionsOf = (
  { acceptance, waits_for: waits, unblocks, held, questions, notes, packages }: ItemFacts
): string[] => [
  `What to know ${ESCAPE_NOTE}`,
  ...section('Accepted when', acceptance.map(({ text, met }) => `[${met ? 'x' : ' '}] ${quoteText(text)}`)),
  ...section('Waits for', waits.map(({ id, title, status }) => `${quoteId(id)} ${quoteText(title)}, ${status}`)),
  ...section('Unblocks', unblocks.map(({ id, title }) => `${quoteId(id)} ${quoteText(title)}`)),
  ...section('Held by others', held.map(({ id, credential }) => `${quoteId(id)} by ${quoteText(credential)}`)),
  ...section('Open questions', questions.map(({ id, question }) => `${quoteId(id)} ${quoteText(question)}`)),
  ...section('Notes', notes.map(({ text, by }) => `${quoteText(by)}: ${quoteText(text)}`)),
  ...packages.flatMap(({ type, excerpt }) => [`Package ${type}, where it names the item:`, blockquote(excerpt)])
]

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
