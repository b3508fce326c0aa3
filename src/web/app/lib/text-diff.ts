/** What differs between two texts: by lines first, and by words where lines changed. */
import { diffArrays } from 'diff'

/** A change, and what follows it unchanged. */
interface Hunk { removed: string, added: string, same: string }

/** Beyond it, all of one text is exchanged for all of the other. */
const MAX_EDITS = 1000
const LINES = /[^\n]*\n|[^\n]+/g
const WORDS = /[\p{L}\p{M}\p{N}_]+|[^\S\n]+|[^]/gu

/** Appends to the last change. A space between two changes belongs to both: a changed phrase is one change. */
const add = (hunks: Hunk[], kind: keyof Hunk, text: string): void => {
  const last = hunks.at(-1)
  const goesOn = last && (kind === 'same' || (last.removed + last.added !== '' && /^[^\S\n]*$/.test(last.same)))
  if (text === '') return
  if (!goesOn) hunks.push({ removed: '', added: '', same: '', [kind]: text })
  else if (kind === 'same') last.same += text
  else {
    last.removed += last.same
    last.added += last.same
    last.same = ''
    last[kind] += text
  }
}

const compare = (before: string[] | null, after: string[] | null): Hunk[] => {
  const [from, to] = [before ?? [], after ?? []]
  const hunks: Hunk[] = []
  const changes = diffArrays(from, to, { maxEditLength: MAX_EDITS }) ??
    [{ value: from, removed: true, added: false }, { value: to, removed: false, added: true }]
  for (const { value, removed, added } of changes) {
    add(hunks, removed ? 'removed' : added ? 'added' : 'same', value.join(''))
  }
  return hunks
}

export const diffTexts = (before: string, after: string): Hunk[] => {
  const hunks: Hunk[] = []
  for (const line of compare(before.match(LINES), after.match(LINES))) {
    for (const word of compare(line.removed.match(WORDS), line.added.match(WORDS))) {
      for (const kind of ['removed', 'added', 'same'] as const) add(hunks, kind, word[kind])
    }
    add(hunks, 'same', line.same)
  }
  return hunks
}
