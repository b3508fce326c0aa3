// Real planning folders, where they are at hand: what the judge beside them says.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { linesOf } from '../../src/importers/records/to-records.js'
import { importedFrom } from './imported.js'

const FOLDER = fileURLToPath(new URL('../../../shared/data/planning', import.meta.url))

t.test(
  'title, tasks, done-ness, dependencies, groups and questions agree',
  { skip: !existsSync(`${FOLDER}/score.mjs`) && 'the real folders are not here' },
  async (t) => {
    const out = t.testdir()
    const { units } = JSON.parse(readFileSync(`${FOLDER}/expected.json`, 'utf8')) as {
      units: Array<{ root: string }>
    }
    for (const root of new Set(units.map((unit) => unit.root))) {
      const { all } = await importedFrom(`${FOLDER}/${root}`)
      writeFileSync(
        `${out}/${root.replaceAll('/', '~')}.ndjson`,
        all
          .flatMap(linesOf)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join('')
      )
    }
    const said = spawnSync(process.execPath, [`${FOLDER}/score.mjs`, out], { encoding: 'utf8' }).stdout
    t.comment(said)
    const share = Number(/│ all +│ \d+ +│ '([\d.]+) %'/.exec(said)?.[1])
    t.ok(share >= 95, `${share} %`)
    execFileSync(process.execPath, [`${FOLDER}/score.mjs`, '--selftest'])
  }
)
