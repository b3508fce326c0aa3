/** A piece of a text, with what of it was computed: each at its first use, as most questions need little of it. */
import { saysSomething, sentencesOf, toLowerCaseInPlace, type Sentence } from './sentences.js'
import { createWordHolders, type WordHolders } from './word-holders.js'

/** Most sentences of a text that are compared with a question. */
export const MAX_COMPARED_SENTENCES = 24
const MIN_LENGTH = 12

export class Passage {
  /** In small letters, each at its place. */
  readonly lower: string
  #sentences: readonly Sentence[] | undefined
  #comparable: readonly string[] | undefined
  #words: WordHolders | undefined

  constructor (readonly text: string) {
    this.lower = toLowerCaseInPlace(text)
  }

  get sentences (): readonly Sentence[] {
    this.#sentences ??= sentencesOf(this.text)
    return this.#sentences
  }

  /** The first sentence that says something. */
  get first (): string | undefined {
    const { text } = this
    const first = this.sentences.find(({ from, to }) => saysSomething(text.slice(from, to)))
    return first && text.slice(first.from, first.to)
  }

  /** The first sentences that say enough to be compared with a question. */
  get comparable (): readonly string[] {
    this.#comparable ??= this.#findComparable()
    return this.#comparable
  }

  /** In which sentences its words stand; absent until it is worth indexing. */
  get words (): WordHolders | undefined {
    return this.#words
  }

  /** From now on words are looked up in an index. */
  indexWords (): void {
    this.#words ??= createWordHolders(this.lower, this.sentences)
  }

  #findComparable (): string[] {
    const comparable: string[] = []
    for (const { from, to } of this.sentences) {
      const sentence = this.text.slice(from, to)
      if (sentence.length >= MIN_LENGTH && saysSomething(sentence)) comparable.push(sentence)
      if (comparable.length === MAX_COMPARED_SENTENCES) break
    }
    return comparable
  }
}
