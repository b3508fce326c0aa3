// What an import says when it recognizes no plans, and what it says that it found.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'

/** A tar file with one empty file, as far as it is looked at. */
const tar = Buffer.alloc(1024)
tar.write('plans.md')
tar.write('ustar', 257)

t.test('a folder without plans', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({ 'readme.md': '# Hello\n' })
  for (const options of ['--dry-run', '--dry-run --ndjson', '']) {
    const { code, out, err } = await cli.run(['import', folder, ...options.split(' ').filter(Boolean)])
    t.match({ code, out }, { code: 1, out: '' }, options)
    t.match(err, /No plans were found here\. These formats are read:\n +openspec +openspec\/ [^]*\n +spec-kit +specs\/NNN-name/)
    t.notMatch(err, /Seen, but not read/)
  }
  const { code, out } = await cli.run(['import', folder, '--dry-run', '--json'])
  t.match({ code, ...JSON.parse(out) }, { code: 1, explorations: [], not_read: [] })
})

t.test('the plans of other tools', async (t) => {
  const cli = commandLine(t)
  const file = () => ({ 'a.md': 'x' })
  const folder = t.testdir({
    '.beads': { 'metadata.json': '{}' },
    '.planning': { phases: { '01-a': { '01-01-PLAN.md': '<task type="auto">\n<name>A</name>\n</task>\n' } } },
    '.claude': { epics: { pay: file() }, skills: file() },
    app: file()
  })
  const { code, err } = await cli.run(['import', folder, '--dry-run'])
  t.equal(code, 1)
  t.match(err.trim().split('\n').at(-1), 'Seen, but not read: .beads/ (beads), ' +
    '.planning/phases/ (GSD), .claude/epics/ (ccpm)')
  for (const options of [['--dry-run'], []]) {
    for (const [path, tool] of [['.beads/metadata.json', 'beads']]) {
      t.match(await cli.run(['import', `${folder}/${path}`, ...options]), {
        code: 1, err: new RegExp(`is of no format that is read \\(${tool}\\)\\.\n$`)
      })
    }
  }
})

t.test('what was found, and the plans of other tools beside it', async (t) => {
  const cli = commandLine(t)
  const spec = () => ({ 'spec.md': '# Feature Specification: Pay\n', 'tasks.md': '- [ ] T001 A\n' })
  const folder = t.testdir({
    specs: { '001-pay': spec(), '002-ship': spec() },
    docs: { adr: { '0001-a.md': '# A\n\nStatus: accepted\n' } },
    '.beads': { 'issues.jsonl': '' },
    '.planning': { 'ROADMAP.md': '- [ ] **Phase 1: A**\n', phases: { '01-a': { '01-01-PLAN.md': '<task>\n</task>\n' } } }
  })
  const { code, out } = await cli.run(['import', folder, '--dry-run'])
  t.equal(code, 0)
  t.match(out, /: 4 explorations from this repository: 2 spec-kit, 1 decisions, 1 checklist\nSeen, but not read: \.beads\/ \(beads\), \.planning\/phases\/ \(GSD\)\n/)
})

t.test('files that are no records', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({
    'x.tgz': gzipSync(tar), 'x.ndjson.gz': gzipSync(tar), 'x.tar': tar, 'x.zip': 'PK\x03\x04...', 'notes.md': '# A\n', 'a.csv': 'x,y\n1,2\n'
  })
  for (const name of ['x.tgz', 'x.ndjson.gz', 'x.tar', 'x.zip']) {
    for (const options of [['--dry-run'], []]) {
      t.match(await cli.run(['import', `${folder}/${name}`, ...options]), {
        code: 1, err: /^[^\n]+: This is an archive: unpack it, and import the folder\. Nothing was imported\.\n$/
      }, name)
    }
  }
  const advised = await cli.run(['import', `${folder}/notes.md`, '--dry-run'])
  const [, format = ''] = /--format ([\w-]+)/.exec(advised.err) ?? []
  t.match(await cli.run(['import', `${folder}/notes.md`, '--dry-run', '--format', format]), { code: 0 }, 'the advice works')
  t.match((await cli.run(['import', `${folder}/notes.md`, '--format', 'spec-kit'])).err, /is not read as spec-kit: spec-kit is specs\//)
})
