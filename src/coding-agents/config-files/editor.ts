/** What every format's editor promises: it touches one entry, and every other byte stays. */

/** Each step is a key, or the element of a list whose `id` is this one. */
export type Path = ReadonlyArray<string | { id: string }>

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** Maps are Maps: a key may be called `[object Object]`. */
export type Tree = string | number | boolean | bigint | null | Date | Tree[] | Map<string, Tree>

/** What an editor made on the way to an entry, so that it can go with it. */
export interface Trace {
  /** How many of the maps around the entry are ours. */
  created: number
  /** How the innermost map that is not ours was written when it was empty; for a file without a value, all of it. */
  hollow?: string
}

/** Texts have no byte order mark; offsets of problems are into the text. */
export interface Editor {
  /** Throws a `SyntaxProblem`. */
  read (text: string): Tree | undefined
  /** Throws a `Refusal` where the way to the entry is not a map, or a key stands twice. */
  put (text: string, path: Path, value: Value): { text: string, trace: Trace }
  take (text: string, path: Path, trace: Trace): string
  /** The entry by itself with the maps around it, to paste. */
  snippet (path: Path, value: Value): string
}

export class SyntaxProblem extends Error {
  constructor (readonly reason: string, readonly line: number) {
    super(`line ${line}: ${reason}`)
    this.name = 'SyntaxProblem'
  }
}
