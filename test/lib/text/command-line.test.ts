// How a command is written where this program runs. Each case is a process of its own in the command's tests; here are the kinds of places.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandLine, setProgram, type ProgramStart } from '../../../src/lib/text/command-line.js'

// The plain name again, for other tests of this process.
t.teardown(() => setProgram({ script: '/bin/exploration-mcp', folder: '/', args: [], env: { PATH: '/bin' } }))

t.test('how the program is called', async (t) => {
  const top = t.testdir({
    clone: { 'package.json': '{}', dist: { 'cli.js': '' }, docs: {} },
    project: { 'package.json': '{}', node_modules: { 'exploration-mcp': { dist: { 'cli.js': '' } }, '.bin': {} } },
    cache: { _npx: { '0ab1': { node_modules: { 'exploration-mcp': { dist: { 'cli.js': '' } } } } } },
    bin: {},
    'other folder': {}
  })
  const clone = join(top, 'clone/dist/cli.js')
  const installed = join(top, 'project/node_modules/exploration-mcp/dist/cli.js')
  const says = (given: Partial<ProgramStart>): string => {
    setProgram({ script: clone, folder: top, args: [], env: {}, ...given })
    return commandLine('users list')
  }
  t.equal(says({ folder: join(top, 'clone/docs') }), 'npx exploration-mcp users list')
  t.equal(says({ folder: join(top, 'other folder') }), `node ${clone} users list`)
  t.equal(says({ script: installed, folder: join(top, 'project') }), 'npx exploration-mcp users list')
  t.equal(says({ script: join(top, 'cache/_npx/0ab1/node_modules/exploration-mcp/dist/cli.js') }), 'npx exploration-mcp users list')
  symlinkSync(installed, join(top, 'project/node_modules/.bin/exploration-mcp'))
  const npmPath = join(top, 'project/node_modules/.bin')
  t.equal(says({ script: installed, env: { PATH: npmPath } }), `node ${installed} users list`, 'what npm adds to PATH is gone later')
  symlinkSync(clone, join(top, 'bin/exploration-mcp'))
  t.equal(says({ script: join(top, 'bin/exploration-mcp'), env: { PATH: `/nowhere:${join(top, 'bin')}` } }), 'exploration-mcp users list')
  mkdirSync(join(top, 'own bin'))
  writeFileSync(join(top, 'own bin/exploration-mcp'), '')
  t.equal(says({ env: { PATH: join(top, 'own bin') } }), `node ${clone} users list`, 'another program of this name')
})

t.test('which data it has', async (t) => {
  const says = (args: string[], env = {}): string => {
    setProgram({ script: '/cli.js', folder: '/', args, env })
    return commandLine('audit').replace(/^node \S+ /, '')
  }
  t.equal(says(['serve', '--port', '0']), 'audit')
  t.equal(says(['serve', '--data', '.data']), 'audit')
  t.equal(says(['serve', '--data', 'my plans']), "audit --data 'my plans'")
  t.equal(says(['serve', "--data=it's"]), String.raw`audit --data 'it'\''s'`)
  t.equal(says(['serve'], { DATA_DIR: '/srv/plans' }), 'audit --data /srv/plans')
  t.equal(says(['serve', '--data', 'x'], { DATA_DIR: '/srv/plans' }), 'audit --data x')
  t.equal(says(['serve', '--database-url-file', '/run/url']), 'audit --database-url-file /run/url')
  t.equal(says(['serve'], { DATABASE_URL: 'postgres://u:secret@h/d' }), 'audit')
})
