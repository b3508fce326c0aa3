import fc from 'fast-check'
import t from 'tap'
import { headings, outline } from '../../../src/planning/tools/outline.js'
import { blockquote, fenced, quoteText } from '../../../src/planning/tools/escape-text.js'
import { meets } from '../../conformance/requirements.js'
import { call, idOf, of, planning, sample, use, wellFormed } from '../../helpers/planning.js'

const store = await planning(t)
const id = idOf('Pay in instalments')
const found = { exploration_id: id, artifact_type: 'design', version: 1, updated_at: '2026-01-01T00:00:00.000Z' }
const holding = (markdown: string): ReturnType<typeof call> =>
  call({ ...store, packages: { ...store.packages, get: async () => ({ ...found, markdown }) } })
const read = (args: object, context = call(store)) =>
  use('get_requirement_package', { exploration_id: id, artifact_type: 'design', ...args }, context)

t.test('a text that fits comes whole, verbatim on both channels, without an outline', async (t) => {
  const { markdown } = of(sample, 'requirement_package').find((one) => one.exploration_id === id && one.artifact_type === 'design')!
  const { data, text } = await read({})
  t.equal(data.markdown, markdown)
  t.match(data, { exploration_id: id, artifact_type: 'design', version: 3, offset: 0, total_chars: markdown.length })
  t.notOk('outline' in data)
  t.notOk('next_offset' in data)
  t.ok(text.includes(markdown))
})

t.test('windows join to the whole, whatever the text, and never split a character', async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.constantFrom('a', '👩‍👩‍👧', '\n', '# Head\n', '```\n', 'é', '𝒳'), { minLength: 1200, maxLength: 4000 }), fc.integer({
      min: 1000, max: 3000
    }),
    async (parts, most) => {
      const whole = parts.join('')
      const context = holding(whole)
      let joined = ''
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const { data } = await read({ offset, max_chars: most }, context)
        if (data.markdown === '' || data.markdown.length > most || !wellFormed(data.markdown) || data.offset !== offset) return false
        joined += data.markdown
        offset = data.next_offset
      }
      return joined === whole
    }), { numRuns: 25 })
})

t.test('what does not fit brings the outline, and its offsets lead to the headings', async (t) => {
  const { data, text } = await read({ max_chars: 1000 })
  t.ok(data.outline.length > 5)
  for (const { level, title, offset } of data.outline) {
    const there = await read({ offset, max_chars: 1000 })
    t.ok(there.data.markdown.startsWith(`${'#'.repeat(level)} ${title}\n`), title)
  }
  t.match(text, `Goes on: offset ${data.next_offset}`)
  t.match(text, '## "Before choosing"')
})

t.test('beyond the end, and what is not there, are refused with what is', async (t) => {
  const { data } = await read({})
  await t.rejects(read({ offset: data.total_chars }), {
    name: 'Refusal', message: new RegExp(`total_chars ${data.total_chars}`)
  })
  await t.rejects(read({ artifact_type: 'test-plan' }), { name: 'Refusal', message: /artifact_type code or design/ })
  await t.rejects(read({ artifact_type: 'de\0sign' }), { name: 'Refusal' })
  await t.rejects(read({ exploration_id: idOf('Rules for shared') }), {
    name: 'Refusal', message: /no requirement package yet/
  })
  t.match((await read({}, holding(''))).data, { markdown: '', total_chars: 0 }, 'an empty text is a text')
})

t.test('headings', async (t) => {
  const titles = (markdown: string): string[] => headings(markdown).map(({ level, title }) => `${level} ${title}`)
  t.same(titles('# One\n\n  ## Two ##\ntext # no\n#no\n###\n    # code\n####### seven\n# C#\r\n'), ['1 One', '2 Two', '3 ', '1 C#'])
  t.same(titles('```sh\n# no\n```\n# Yes\n~~~\n# no\n```\n# no\n~~~~\n# Yes'), ['1 Yes', '1 Yes'])
  t.same(titles('````\n```\n# no\n````\n``` inline ```\n# Yes\n```\n# open to the end'), ['1 Yes'])
  const text = '# A\n' + '## B\n### C\n'.repeat(150)
  const { shown, omitted } = outline(text, 200)
  t.same([shown.length, omitted], [151, 150], 'the deepest level goes first')
  t.same(outline('# A\n'.repeat(300), 200).shown.length, 200)
  // With steps that grow by the square of their length, these lines would take hours.
  t.equal(headings('#' + ' \t'.repeat(2_000_000) + '\n' + '# #'.repeat(1_000_000)).length, 2)
})

t.test('a text cannot close the fence around it', async () => {
  meets('tool-output-escaped')
  fc.assert(fc.property(fc.array(fc.constantFrom('`', '```', '````', '\n', 'x', '~~~'), { maxLength: 60 }), (parts) => {
    const text = parts.join('')
    const [first = '', ...rest] = fenced(text, 'markdown').split('\n')
    const fence = first.replace('markdown', '')
    return rest.at(-1) === fence && !text.includes(fence)
  }))
})

t.test('a title stays in its quotes, and a long text behind its marks', async () => {
  meets('tool-output-escaped')
  const hostile = fc.array(fc.constantFrom('"', '\n', '\r\n', '\u2028', '\u0085', '\u0000', '> ', 'x'), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(fc.property(hostile, (text) => {
    const quoted = quoteText(text)
    return quoted.startsWith('"') && quoted.endsWith('"') && !/["\p{Cc}\u2028]/u.test(quoted.slice(1, -1))
  }))
  fc.assert(fc.property(hostile, (text) => blockquote(text).split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/).every((line) => line.startsWith('> '))))
})
