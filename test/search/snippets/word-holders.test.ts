// In which sentences words stand: as reading the text would find it.
import t from 'tap'
import { sentencesOf, toLowerCaseInPlace } from '../../../src/search/snippets/sentences.js'
import { createWordHolders, isIndexed } from '../../../src/search/snippets/word-holders.js'

const holdersIn = (text: string, beginning: string): number[] => {
  const words = createWordHolders(toLowerCaseInPlace(text), sentencesOf(text))
  const found: number[] = []
  const first = words.find(beginning)
  if (first !== -1) words.eachHolder(first, beginning, (sentence) => { found.push(sentence) })
  return found.sort((one, other) => one - other)
}

t.test('each sentence once', async (t) => {
  const text = 'Cars and a car. The scarf is red.\n\n[car]: https://example.com/car\nTake the kube-Car: v1.28, 🎉car. Ärger'
  const expected: Record<string, number[]> = {
    car: [0, 2], cars: [0], scar: [1], arf: [], 'kube-c': [2], 'kube-x': [], 'v1.2': [2], 28: [2], example: [], ärg: [3], r: [1], zebra: []
  }
  for (const [beginning, sentences] of Object.entries(expected)) t.strictSame(holdersIn(text, beginning), sentences, beginning)
  t.strictSame(holdersIn('', 'car'), [])
})

t.test('what is looked up', async (t) => {
  for (const beginning of ['car', 'node.js', 'x/y', 'ä', '1']) t.ok(isIndexed(beginning), beginning)
  for (const beginning of ['', '/etc', 'c)', '🎉', 'x'.repeat(65)]) t.notOk(isIndexed(beginning), beginning)
})

t.test('any text, as reading it finds it', async (t) => {
  const words = ['pod', 'Pods', 'podspec', 'Pod-level', 'node', 'node.js', 'a', 'x/y', '(x/yz', 'über', '🎉pod', '[pod]: ', '\n\n', '. ', '\n- ']
  let state = 7
  const next = (below: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % below
  for (let round = 0; round < 50; round++) {
    const text = Array.from({ length: 60 }, () => `${words[next(words.length)]}${['', ' ', ', ', '. ', ') '][next(5)]}`).join('')
    const sentences = sentencesOf(text)
    for (const word of words.map((word) => word.toLowerCase()).filter(isIndexed)) {
      const beginning = word.slice(0, 1 + next(word.length))
      if (!isIndexed(beginning)) continue
      const begins = new RegExp(`(?<![\\p{L}\\p{N}])${beginning.replace(/[/.]/g, '\\$&')}`, 'iu')
      const expected = sentences.flatMap(({ from, to }, place) => begins.test(text.slice(from, to)) ? [place] : [])
      t.strictSame(holdersIn(text, beginning), expected, `${beginning} in ${text}`)
    }
  }
})
