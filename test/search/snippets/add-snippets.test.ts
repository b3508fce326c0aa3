// The sentence that shows why a hit was found, of texts of any length.
import t from 'tap'
import type { FoundWords } from '../../../src/db/sql-search.js'
import type { WordVectorEmbedder } from '../../../src/search/embedders/word-vectors/word-vector-embedder.js'
import { createSearchEngine } from '../../../src/search/search-engine.js'
import { addSnippets } from '../../../src/search/snippets/add-snippets.js'

const hit = (words: FoundWords['words']): FoundWords => ({
  id: 'a',
  workspace_id: 'w',
  workspace: { id: 'w', slug: 'w', name: 'W' },
  title: 'The title',
  status: 'draft',
  tags: [],
  updated_at: '2026-01-01T00:00:00.000Z',
  artifact_types: [],
  has_plan: false,
  score: 0.5,
  coverage: 1,
  words
})

const snippetOf = async (text: string, words: FoundWords['words'], nearness?: (sentence: string) => number) => {
  const nearTo = () => (sentences: readonly string[]) => Float32Array.from(sentences, nearness ?? (() => 0))
  const engine = createSearchEngine(async () => ({ nearTo } as Partial<WordVectorEmbedder> as WordVectorEmbedder))
  const [explained] = await addSnippets(
    { sql: { texts: async () => new Map([['a', text]]) }, engine }, [hit(words)], { query: '', byMeaning: nearness !== undefined })
  return explained!.snippet
}

const FILLER = 'Nothing of that kind is told here. '.repeat(400)

t.test('a sentence with the words, wherever it stands', async (t) => {
  const told = 'A retention policy deletes old files after a year.'
  for (const [before, behind] of [['', ''], ['', FILLER], [FILLER, ''], [FILLER, FILLER]]) {
    // Stems, as the database gives them: policy, retention.
    t.equal(await snippetOf(`${before}${told} ${behind}`, { polici: 2, retent: 1 }), told)
  }
})

t.test('the same sentence however often the text was read', async (t) => {
  const engine = createSearchEngine(async () => { throw new Error('no words are needed') })
  const explain = async (words: FoundWords['words']) => await engine.explain(
    { query: '', byMeaning: false, words: words ?? {}, texts: new Map([['a', `Late. An order is late. See docs/(late). ${FILLER}`]]) })
  const cases: Array<[sentence: string, words: Record<string, number>]> = [
    ['An order is late.', { order: 2, late: 1 }],
    // In no index of words: there is a mark at the end.
    ['See docs/(late).', { 'docs/(late)': 2, order: 1 }],
    ['See docs/(late).', { 'docs/(lat': 2, order: 1 }]
  ]
  for (const [sentence, words] of cases) {
    const first = (await explain(words)).get('a')
    t.equal(first, sentence, JSON.stringify(words))
    for (let times = 0; times < 3; times++) t.equal((await explain(words)).get('a'), first, JSON.stringify(words))
  }
})

t.test('a word inside another is none', async (t) => {
  t.equal(await snippetOf('The scarf is red. Take the car home.', { car: 1 }), 'Take the car home.')
})

t.test('where the words say too little, the sentence that is nearest in meaning', async (t) => {
  const nearness = (sentence: string) => sentence.includes('refund') ? 1 : 0
  t.equal(
    await snippetOf('An order may be late. The customer gets a refund. Then all is well.', { money: 5, order: 1 }, nearness),
    'The customer gets a refund.'
  )
  t.equal(await snippetOf('An order may be late. The customer gets a refund.', { money: 5, order: 5 }, nearness), 'An order may be late.')
})

t.test('a text without a sentence leaves the title', async (t) => {
  for (const text of ['', '***\n---']) t.equal(await snippetOf(text, { order: 1 }), 'The title')
})

t.test('without what marks a line of Markdown, and without addresses of links', async (t) => {
  const lines: Array<[string, string]> = [
    ['- Refund the order.', 'Refund the order.'],
    ['1. > Refund the order.', 'Refund the order.'],
    ['## Refunds of an order', 'Refunds of an order'],
    ['| refund | order |', 'refund | order |'],
    ['-refund', '-refund'],
    ['#5 is about a refund', '#5 is about a refund'],
    ['[refund]: https://example.com/refund\n[order]: /refund\nAn order is late.', 'An order is late.'],
    ['[refund] of an order', '[refund] of an order'],
    ['A [refund](https://example.com/a_(b)) of an [order](/orders "All orders").', 'A refund of an order.'],
    ['A ![refund](refund.png), a list[0](refund)', 'A refund, a list0'],
    ['A refund [in brackets] (of an order)', 'A refund [in brackets] (of an order)'],
    ['A refund [of](an order', 'A refund [of](an order'],
    ['The `refund` of ``an order`` is **late by days**.', 'The refund of an order is late by days.'],
    ['A [`refund`](/refund) is **[late](/late)**', 'A refund is late'],
    ['A `refund of an order', 'A `refund of an order'],
    ['2 ** 3 ** refund *of* an_order', '2 ** 3 ** refund *of* an_order']
  ]
  for (const [text, snippet] of lines) t.equal(await snippetOf(text, { refund: 1, order: 0.5 }), snippet)
  t.equal(await snippetOf('[refund]: https://example.com', { refund: 1 }), 'The title')
})
