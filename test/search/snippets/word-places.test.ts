// Where words begin in a text, looked up by how they begin.
import t from 'tap'
import { createWordPlaces } from '../../../src/search/snippets/word-places.js'

t.test('the first place of a word that begins so', async (t) => {
  const text = 'The scarf is red. Take the Car home: (kube-apiserver), v1.28 of it, cars and É­té. Ärger KUBE-proxy 🎉x'
  const { find } = createWordPlaces(text, 0)
  const expected: Record<string, string | undefined> = {
    scarf: 'scarf',
    car: 'Car',
    cars: 'cars',
    arf: undefined,
    kube: 'kube-apiserver',
    'kube-api': 'kube-apiserver',
    'kube-p': 'KUBE-proxy',
    apiserv: 'apiserver',
    '-apiserv': 'apiserver',
    'v1.2': 'v1.28',
    28: '28',
    ärg: 'Ärger',
    zebra: undefined,
    a: 'apiserver',
    '---': undefined,
    '': undefined
  }
  for (const [beginning, word] of Object.entries(expected)) {
    t.equal(find(beginning), word === undefined ? -1 : text.indexOf(word), beginning)
  }
})

t.test('as reading the text would find it', async (t) => {
  const words = ['pod', 'pods', 'podspec', 'Pod-level', 'node', 'node.js', 'a', 'x/y', 'x/yz', 'über']
  let state = 7
  const next = (below: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % below
  for (let round = 0; round < 50; round++) {
    const text = Array.from({ length: 60 }, () => `${words[next(words.length)]}${['', ',', '. ', ')'][next(4)]} `).join('')
    const from = text.indexOf(' ') + 1
    const { find } = createWordPlaces(text, from)
    for (const word of words) {
      const beginning = word.toLowerCase().slice(0, 1 + next(word.length))
      const begins = new RegExp(`(?<![\\p{L}\\p{N}])${beginning.replace(/[/.]/g, '\\$&')}`, 'giu')
      begins.lastIndex = from
      t.equal(find(beginning), begins.exec(text)?.index ?? -1, `${beginning} in ${text}`)
    }
  }
})
