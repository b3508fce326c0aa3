/** Parses groups of terms with nearly the same meaning: one group per line, separated by commas; `#` is a comment. */
export interface Thesaurus {
  groups: readonly (readonly string[])[]
  /** Invalid lines, for the operator. */
  faults: readonly { line: number, reason: string }[]
}

const TERM = /^[\p{L}\p{N}]+(_[\p{L}\p{N}]+){0,3}$/u

/** The groups in lower case, phrases with `_`, and the faults by line; never throws. */
export function readThesaurus (text: string): Thesaurus {
  const groups: string[][] = []
  const faults: { line: number, reason: string }[] = []
  text.replace(/^\uFEFF/, '').split(/\r?\n/).forEach((line, i) => {
    const content = line.replace(/#.*/, '').trim()
    if (content === '') return
    const terms = [...new Set(content.split(',').map((term) => term.trim().toLowerCase().replace(/[\s_-]+/g, '_')))]
    const reason = faultOf(terms)
    if (reason === undefined) groups.push(terms)
    else faults.push({ line: i + 1, reason })
  })
  return { groups, faults }
}

function faultOf (terms: readonly string[]): string | undefined {
  const bad = terms.find((term) => term.length > 64 || !TERM.test(term))
  if (bad === '') return 'there is nothing between two commas'
  if (bad !== undefined) return `${JSON.stringify(bad.slice(0, 40))} is not one to four words of letters and digits`
  if (terms.length < 2) return 'a group is at least two different terms, parted by commas'
  if (terms.length > 64) return 'a group is at most 64 terms'
  return undefined
}
