/** What differs between two texts: by lines first, and by words where lines changed. */

/** A change, and what follows it unchanged. */
export interface Hunk { removed: string, added: string, same: string }

/** Of the table that compares two lists: beyond it, what stands between their same beginning and end is exchanged. */
const MAX_CELLS = 4_000_000
const LINES = /[^\n]*\n|[^\n]+/g
const WORDS = /[\p{L}\p{M}\p{N}_]+|[^\S\n]+|[^]/gu

/** Returns the changes in order. A space between two changes belongs to both: a changed phrase is one change. */
export const diffTexts = (before: string, after: string): Hunk[] => {
  const hunks = compare(before.match(LINES), after.match(LINES)).flatMap(({ removed, added, same }) => [
    ...compare(removed.match(WORDS), added.match(WORDS)), { removed: '', added: '', same }
  ])
  const all: Hunk[] = []
  for (const { removed, added, same } of hunks) {
    const last = all.at(-1)
    if (last && removed + added === '') last.same += same
    else if (last && last.removed + last.added !== '' && /^[^\S\n]*$/.test(last.same)) {
      last.removed += last.same + removed
      last.added += last.same + added
      last.same = same
    } else if (removed + added + same !== '') all.push({ removed, added, same })
  }
  return all
}

/** Compares two lists by their longest common subsequence. */
const compare = (from: readonly string[] | null, to: readonly string[] | null): Hunk[] => {
  const [all, others] = [from ?? [], to ?? []]
  const shorter = Math.min(all.length, others.length)
  let start = 0
  while (start < shorter && all[start] === others[start]) start++
  let end = 0
  while (end < shorter - start && all.at(-1 - end) === others.at(-1 - end)) end++
  const [a, b] = [all.slice(start, all.length - end), others.slice(start, others.length - end)]
  let last: Hunk = { removed: '', added: '', same: all.slice(0, start).join('') }
  const hunks = [last]
  const add = (kind: keyof Hunk, text: string): void => {
    if (kind !== 'same' && last.same !== '') hunks.push(last = { removed: '', added: '', same: '' })
    last[kind] += text
  }
  const width = b.length + 1
  if ((a.length + 1) * width > MAX_CELLS) {
    add('removed', a.join(''))
    add('added', b.join(''))
  } else {
    // How much the lists have in common from each pair of places on.
    const common = new Uint16Array((a.length + 1) * width)
    const at = (x: number, y: number): number => common[x * width + y] ?? 0
    for (let x = a.length - 1; x >= 0; x--) {
      for (let y = b.length - 1; y >= 0; y--) {
        common[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1))
      }
    }
    for (let x = 0, y = 0; x < a.length || y < b.length;) {
      const kind = x < a.length && a[x] === b[y]
        ? 'same'
        : y === b.length || (x < a.length && at(x + 1, y) >= at(x, y + 1)) ? 'removed' : 'added'
      add(kind, (kind === 'added' ? b[y] : a[x]) ?? '')
      if (kind !== 'added') x++
      if (kind !== 'removed') y++
    }
  }
  add('same', all.slice(all.length - end).join(''))
  return hunks
}
