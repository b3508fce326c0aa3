/** What differs between two texts: by lines first, and by words where lines changed. */

export interface DiffPart { kind: 'same' | 'removed' | 'added', text: string }

/** Of the table that compares two lists: beyond it, what stands between their same beginning and end is exchanged. */
const MAX_CELLS = 4_000_000
const LINES = /[^\n]*\n|[^\n]+/g
const WORDS = /[\p{L}\p{M}\p{N}_]+|[^\S\n]+|[^]/gu

/** Returns the parts in order; without the `added` ones they are `before`, without the `removed` ones `after`. */
export const diffTexts = (before: string, after: string): DiffPart[] => {
  const byLines = compare(before.match(LINES) ?? [], after.match(LINES) ?? [])
  return merged(byLines.flatMap((part, at): DiffPart[] => {
    const next = byLines[at + 1]
    if (part.kind === 'added' && byLines[at - 1]?.kind === 'removed') return []
    if (part.kind !== 'removed' || next?.kind !== 'added') return [part]
    return withoutGaps(compare(part.text.match(WORDS) ?? [], next.text.match(WORDS) ?? []))
  }))
}

/** Compares two lists by their longest common subsequence; in each change the removed part comes first. */
const compare = (from: readonly string[], to: readonly string[]): DiffPart[] => {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  let end = 0
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const [a, b] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  const parts: DiffPart[] = [{ kind: 'same', text: from.slice(0, start).join('') }]
  const width = b.length + 1
  if ((a.length + 1) * width > MAX_CELLS) {
    parts.push({ kind: 'removed', text: a.join('') }, { kind: 'added', text: b.join('') })
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
      parts.push({ kind, text: (kind === 'added' ? b[y] : a[x]) ?? '' })
      if (kind !== 'added') x++
      if (kind !== 'removed') y++
    }
  }
  return merged([...parts, { kind: 'same', text: from.slice(from.length - end).join('') }])
}

/** One part for each change and each stretch between. */
const merged = (parts: readonly DiffPart[]): DiffPart[] => {
  const all: DiffPart[] = []
  let [removed, added] = ['', '']
  for (const { kind, text } of [...parts, { kind: 'same', text: '' } as const]) {
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else if (text !== '' || removed + added !== '') {
      if (removed !== '') all.push({ kind: 'removed', text: removed })
      if (added !== '') all.push({ kind: 'added', text: added })
      if (all.at(-1)?.kind === 'same') all.push({ kind, text: (all.pop()?.text ?? '') + text })
      else if (text !== '') all.push({ kind, text })
      removed = added = ''
    }
  }
  return all
}

/** A space between two changes belongs to both, so that a changed phrase is one change. */
const withoutGaps = (parts: readonly DiffPart[]): DiffPart[] => merged(parts.flatMap((part, at): DiffPart[] =>
  part.kind === 'same' && at > 0 && at < parts.length - 1 && /^[^\S\n]+$/.test(part.text)
    ? [{ kind: 'removed', text: part.text }, { kind: 'added', text: part.text }]
    : [part]))
