// No file of src/ imports itself by way of others, types included.
// @any-node: reads files
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { importCircles } from '../../scripts/lint/import-circles.mjs'
import { ROOT } from '../helpers/root.js'

t.test('a circle is found, of types and by way of a third file too', (t) => {
  const folder = t.testdir()
  const files = {
    'a.ts': "import { b } from './b.js'\n",
    'b.ts': "import {\n  c\n} from './deep/c.js'\nimport './d.js'\n",
    'deep/c.ts': "export type { A } from '../a.js'\n",
    'd.ts': "import type { E } from './e.js'\n",
    'e.tsx': "const d = await import('./d.js')\n",
    'f.ts': "import { a } from './a.js'\n"
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  t.same(importCircles(folder).sort(), [['a.ts', 'b.ts', 'deep/c.ts'], ['d.ts', 'e.tsx']])
  t.end()
})

t.test('src/ has none', (t) => {
  t.same(importCircles(join(ROOT, 'src')), [])
  t.end()
})
