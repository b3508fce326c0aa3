// The sentence that shows why a hit was found, of texts of any length.
import t from 'tap'
import type { FoundExploration } from '../../../src/search/ranking/sql-search.js'
import type { WordVectorEmbedder } from '../../../src/search/embedders/word-vectors/word-vector-embedder.js'
import { createSearchEngine } from '../../../src/search/search-engine.js'
import { addSnippets } from '../../../src/search/hybrid-search.js'

const hit = (text: string, words: FoundExploration['words']): FoundExploration => ({
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
  text,
  words
})

const snippetOf = async (text: string, words: FoundExploration['words'], nearness?: (sentence: string) => number) => {
  const nearTo = () => (sentences: readonly string[]) => Float32Array.from(sentences, nearness ?? (() => 0))
  const engine = createSearchEngine(async () => ({ nearTo } as Partial<WordVectorEmbedder> as WordVectorEmbedder))
  const [explained] = await addSnippets(engine, [hit(text, words)], { query: '', byMeaning: nearness !== undefined })
  return explained!.snippet
}

const FILLER = 'Nothing of that kind is told here. '.repeat(400)

t.test('a heading comes with what is said below it', async (t) => {
  t.equal(await snippetOf('# Plan\n\n## Money\n\n- **Refunds** go back to the card. Soon.', { monei: 1 }), 'Money: Refunds go back to the card.')
  t.equal(await snippetOf('Text.\n\n## Money', { monei: 1 }), 'Money')
})

t.test('a sentence with the words, wherever it stands', async (t) => {
  const told = 'A retention policy deletes old files after a year.'
  for (const [before, behind] of [['', ''], ['', FILLER], [FILLER, ''], [FILLER, FILLER]]) {
    // Stems, as the database gives them: policy, retention.
    t.equal(await snippetOf(`${before}${told} ${behind}`, { polici: 2, retent: 1 }), told)
  }
})

t.test('words with marks at an end', async (t) => {
  const text = `Late. An order is late. See docs/(late). ${FILLER}`
  t.equal(await snippetOf(text, { order: 2, late: 1 }), 'An order is late.')
  for (const stem of ['docs/(late)', 'docs/(lat']) t.equal(await snippetOf(text, { [stem]: 2, order: 1 }), 'See docs/(late).')
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
