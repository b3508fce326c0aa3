/** Truncates long texts for a model, and records each truncation so that none is silent. */

export interface Truncation {
  field: string
  total_chars: number
  shown_chars: number
}

/** Returns the nearest index at or before `at` (UTF-16 code units) that is not inside a code point. */
export const codePointBoundary = (text: string, at: number): number =>
  at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xFFFF ? at - 1 : at

export type TextBudget = ReturnType<typeof textBudget>

/** Creates a budget of `total` UTF-16 code units for all texts of one result. */
export const textBudget = (total: number) => {
  let remaining = total
  const cuts: Truncation[] = []
  return {
    truncations: cuts,
    /** Whether fewer than 200 characters are left, too few for a useful text. */
    get exhausted () { return remaining < 200 },
    /** Returns the text, truncated to `limit` and to the rest. `field` names it in `truncations`. */
    take (field: string, text: string, limit: number): string {
      const beginning = text.slice(0, codePointBoundary(text, Math.max(0, Math.min(limit, remaining, text.length))))
      remaining -= beginning.length
      if (beginning.length < text.length) cuts.push({ field, total_chars: text.length, shown_chars: beginning.length })
      return beginning
    }
  }
}

export const withinBudget = <Item, Shown>(
  available: TextBudget, items: readonly Item[], show: (item: Item) => Shown
): Shown[] => items.flatMap((item) => available.exhausted ? [] : [show(item)])

/** Returns a sentence on what is missing and the remedy, '' for nothing; it names at most 20 truncations. */
export const truncationNotice = (cuts: readonly Truncation[], omitted: string[], remedy: string): string => {
  if (cuts.length === 0 && omitted.length === 0) return ''
  const named = cuts.slice(0, 20).map((cut) => `${cut.field} (${cut.shown_chars} of ${cut.total_chars} characters)`)
  const more = cuts.length > 20 ? ` and ${cuts.length - 20} more` : ''
  const shortened = cuts.length === 0 ? [] : [`shown in part: ${named.join(', ')}${more}`]
  return `Not complete; ${[...shortened, ...omitted].join('; ')}. ${remedy}`
}
