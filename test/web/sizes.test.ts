/** The budgets of bytes. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { readPlanDocument } from '../../src/planning/views/plan-view.js'
import { ROOT } from '../helpers/root.js'

/** Bytes with gzip: JavaScript and CSS of a page, the same with the font, and what the plan needs more than the first page. */
const BUDGETS = { page: 40_000, withFont: 75_000, plan: 15_000 }
const PUBLIC = `${ROOT}dist/web/public/`

interface Chunk { file: string, css?: string[], imports?: string[] }

t.test('every page stays within its budget', async (t) => {
  const manifest = JSON.parse(readFileSync(`${PUBLIC}.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const filesOf = (name: string): string[] => {
    const { file, css = [], imports = [] } = manifest[name]!
    return [file, ...css, ...imports.flatMap(filesOf)]
  }
  const bytesOf = (files: Iterable<string>): number => [...new Set(files)]
    .reduce((bytes, file) => bytes + statSync(PUBLIC + (existsSync(`${PUBLIC}${file}.gz`) ? `${file}.gz` : file)).size, 0)
  // What the shell links is loaded with each page.
  const linked = [...readFileSync(`${PUBLIC}index.html`, 'utf8').matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
  const first = [...filesOf('index.html'), ...linked.filter((file) => /\.(?:js|css)$/.test(file))]
  const font = bytesOf(linked.filter((file) => file.endsWith('.woff2')))
  const codeOf = (page: string): number => bytesOf([...first, ...filesOf(page)])

  const pages = Object.keys(manifest).filter((name) => /^pages\/[\w-]+\.tsx$/.test(name))
  t.ok(pages.length >= 6 && font > 10_000)
  for (const page of pages) {
    const code = codeOf(page)
    const more = page === 'pages/plan.tsx' ? BUDGETS.plan : 0
    t.ok(code <= BUDGETS.page + more, `${page}: ${code} bytes of JavaScript and CSS`)
    t.ok(code + font <= BUDGETS.withFont + more, `${page}: ${code + font} bytes with the font`)
  }
  const needed = codeOf('pages/plan.tsx') - codeOf('pages/explorations.tsx')
  t.ok(needed <= BUDGETS.plan, `the plan needs ${needed} bytes more than the first page`)
})

t.test('the plan in a chat is one file of at most 60 kB, that needs nothing from elsewhere', async (t) => {
  const document = readPlanDocument() ?? ''
  const bytes = gzipSync(document, { level: 9 }).length
  t.comment(`${bytes} bytes with gzip, ${document.length} without`)
  t.ok(bytes > 5000 && bytes <= 60_000, `${bytes} bytes with gzip`)
  t.notMatch(document, /<(?:script|link)[^>]* (?:src|href)=|@import|url\(/, 'no address of anything else')
  t.match(document, /^[\t\n\x20-\x7e]*$/, 'only ASCII: no encoding and no filter changes it')
})
