/** The interface of the editors of each format: an editor changes one entry and keeps every other byte. */

/** Each step is a key, or the element of a list whose `id` is this one. */
export type Path = ReadonlyArray<string | { id: string }>

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** Maps are `Map`s: a key may be called `__proto__`. */
export type Tree = string | number | boolean | bigint | null | Date | Tree[] | Map<string, Tree>

/** What an editor created on the way to an entry, to be removed together with it. */
export interface Trace {
  /** How many of the maps around the entry were created. */
  created: number
  /** The text of the innermost existing map when it was empty; of the whole file when it had no value. */
  hollow?: string
}

/** Texts have no byte order mark; offsets of problems count from the start of the text. */
export interface Editor {
  /** Throws a `SyntaxProblem`. */
  read (text: string): Tree | undefined
  /** Throws a `Refusal` when the path leads through something else than maps, or when a key occurs twice. */
  put (text: string, path: Path, value: Value): { text: string, trace: Trace }
  take (text: string, path: Path, trace: Trace): string
  /** The entry with the maps around it, as a text to paste. */
  snippet (path: Path, value: Value): string
}

export class SyntaxProblem extends Error {
  constructor (readonly reason: string, readonly line: number) {
    super(`line ${line}: ${reason}`)
    this.name = 'SyntaxProblem'
  }
}
