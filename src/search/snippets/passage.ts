/** A piece of a text in which the sentence that shows why it was found is looked for. */
import { saysSomething, sentencesOf, toLowerCaseInPlace, type Sentence } from './sentences.js'

// What a text is about is said in its beginning.
const BEGINNING = 6000
const BEFORE = 200
const BEHIND = 300
/** Maximum number of sentences of a text that are compared with a query. */
const MAX_COMPARED_SENTENCES = 8
const MIN_LENGTH = 12

export class Passage {
  /** In small letters, each at its offset. */
  readonly lower: string
  #sentences: readonly Sentence[] | undefined

  constructor (readonly text: string) {
    this.lower = toLowerCaseInPlace(text)
  }

  /** Split at the first use: in most passages no word stands. */
  get sentences (): readonly Sentence[] {
    this.#sentences ??= sentencesOf(this.text)
    return this.#sentences
  }

  textOf ({ from, to }: Sentence): string {
    return this.text.slice(from, to)
  }

  /** The first sentence that says something. */
  get first (): string | undefined {
    const first = this.sentences.find((sentence) => saysSomething(this.textOf(sentence)))
    return first && this.textOf(first)
  }

  /** The first sentences that say enough to be compared with a query. */
  get comparable (): string[] {
    const comparable: string[] = []
    for (const { from, to } of this.sentences) {
      const sentence = this.text.slice(from, to)
      if (sentence.length >= MIN_LENGTH && saysSomething(sentence)) comparable.push(sentence)
      if (comparable.length === MAX_COMPARED_SENTENCES) break
    }
    return comparable
  }
}

/** The first 6,000 characters of a text. */
export const beginningOf = (text: string): Passage => new Passage(text.slice(0, BEGINNING))

/** What stands behind the beginning around the first word of each of these, which begin so in small letters. */
export const passageAround = (text: string, words: ReadonlyArray<{ beginning: string }>): Passage | undefined => {
  const rest = text.slice(BEGINNING)
  const lower = rest.toLowerCase()
  const windows = words.flatMap(({ beginning }) => {
    const at = lower.indexOf(beginning)
    return at === -1 ? [] : [text.slice(Math.max(0, BEGINNING + at - BEFORE), BEGINNING + at + BEHIND)]
  })
  return windows.length === 0 ? undefined : new Passage(windows.join('\n\n'))
}
