/** Keeps an answer readable for a model: long texts are shown in part, and each cut is recorded, so that none is silent. */

export interface Truncation {
  field: string
  total_chars: number
  shown_chars: number
}

/** The nearest place at or before `at` (UTF-16 code units) that is not inside a code point. */
export const codePointBoundary = (text: string, at: number): number => {
  const inside = at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
  return inside ? at - 1 : at
}

const isHigh = (unit: number): boolean => unit >= 0xD800 && unit <= 0xDBFF
const isLow = (unit: number): boolean => unit >= 0xDC00 && unit <= 0xDFFF

export interface TextBudget {
  /** What was cut so far. */
  truncations: Truncation[]
  /** True when there is no room for another text worth showing. */
  readonly exhausted: boolean
  /** The text, or as much of it as `limit` and the whole allowance leave. */
  take (field: string, text: string, limit: number): string
}

/** Room for `total` characters over all texts of one answer. */
export const textBudget = (total: number): TextBudget => {
  let remaining = total
  const cuts: Truncation[] = []
  return {
    truncations: cuts,
    get exhausted () { return remaining < 200 },
    take (field, text, limit) {
      const taken = text.slice(0, codePointBoundary(text, Math.max(0, Math.min(limit, remaining, text.length))))
      remaining -= taken.length
      if (taken.length < text.length) cuts.push({ field, total_chars: text.length, shown_chars: taken.length })
      return taken
    }
  }
}

/** One sentence on what is missing; empty when nothing is. */
export const truncationNotice = (cuts: readonly Truncation[], omitted: string[], remedy: string): string => {
  if (cuts.length === 0 && omitted.length === 0) return ''
  const named = cuts.slice(0, 20).map((cut) => `${cut.field} (${cut.shown_chars} of ${cut.total_chars} characters)`)
  const shortened = cuts.length === 0 ? [] : [`shown in part: ${named.join(', ')}${cuts.length > 20 ? ` and ${cuts.length - 20} more` : ''}`]
  return `Not complete; ${[...shortened, ...omitted].join('; ')}. ${remedy}`
}
