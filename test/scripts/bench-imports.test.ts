// The benches import compiled modules of the program, which no compiler looks at: each name that they import is exported.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

const BENCHES = `${ROOT}scripts/bench/`
const IMPORT = /import \{([^}]+)\} from '\.\.\/\.\.\/\.test-build\/(src\/[^']+)'/g
const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

t.test('every name that a bench imports is exported', async (t) => {
  const imports = readdirSync(BENCHES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => [...readFileSync(BENCHES + file, 'utf8').matchAll(IMPORT)].map(([, names = '', path = '']) => ({ file, names, path })))
  t.ok(imports.length > 20)
  for (const { file, names, path } of imports) {
    const module = await import(pathToFileURL(SOURCE + path).href) as Record<string, unknown>
    for (const name of names.split(',').map((part) => part.trim().split(' as ')[0])) t.ok(name !== undefined && name in module, `${file}: ${name} of ${path}`)
  }
})
