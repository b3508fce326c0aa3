/**
 * The answers on the page of examples are what the server answers on the sample data: each block of JSON is a call of a tool, and the text
 * after it its answer, or the first hit of a search. EXAMPLES=write writes the answers anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { build, modern } from '../helpers/build.js'
import { ROOT } from '../helpers/root.js'

const PAGE = join(ROOT, 'docs/examples.md')
const CALL = /^```json\n([^`]*)^```\n\n```text\n([^]*?)^```$/gm
const SEARCH = /^```json\n([^`]*)^```\n\nThe first hit is “(.*)”, `(.*)`/gm

const PACKAGE = /^```json\n([^`]*)^```\n\nThe answer is “(.*)”, version (\d+), (\d+) characters/m

interface Hit { id: string, title: string }
interface Result { isError?: boolean, content: Array<{ text: string }>, structuredContent: { explorations: Hit[], markdown: string } }

t.test('each answer is the server\'s', async (t) => {
  const { app, key } = await build(t)
  let page = readFileSync(PAGE, 'utf8')
  t.equal([...page.matchAll(/^## “/gm)].length, 3, 'three prompts')
  const calls = [...page.matchAll(CALL)]
  t.equal(calls.length, 4)
  const ask = async (call: string) => (await modern<{ result: Result }>(app, key, 'tools/call', JSON.parse(call) as Record<string, unknown>)).body.result
  const searches = [...page.matchAll(SEARCH)]
  t.equal(searches.length, 2)
  for (const [, call = '', title, id] of searches) {
    t.match((await ask(call)).structuredContent.explorations[0], { title, id })
  }
  const [, wanted = '', title, version, length] = PACKAGE.exec(page) ?? []
  const { structuredContent } = await ask(wanted)
  t.match(structuredContent, { title, version: Number(version) })
  t.equal(structuredContent.markdown.length, Number(length))
  for (const [block, call = '', shown = ''] of calls) {
    const { isError, content } = await ask(call)
    const answer = `${content.map(({ text }) => text).join('\n').trimEnd()}\n`
    t.notOk(isError, call)
    if (process.env['EXAMPLES'] === 'write') page = page.replace(block, () => block.replace(/```text\n[^]*```$/, () => `\`\`\`text\n${answer}\`\`\``))
    else t.equal(shown, answer, call)
  }
  if (process.env['EXAMPLES'] === 'write') writeFileSync(PAGE, page)
})
