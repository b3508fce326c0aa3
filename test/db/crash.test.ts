// A process that is killed in the middle of writing loses nothing that it was told is committed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { unpackImage } from '../../src/db/embedded/database-image.js'
import { openPglite } from '../../src/db/embedded/pglite.js'

const WRITER = `
  const { PGlite } = await import('@electric-sql/pglite')
  const db = await PGlite.create({ dataDir: process.argv[1] })
  await db.exec('create table if not exists written (n integer primary key)')
  const { rows: [{ next }] } = await db.query('select coalesce(max(n), 0)::int + 1 as next from written')
  for (let n = next; ; n++) {
    await db.query('insert into written values ($1)', [n])
    process.stdout.write(n + '\\n')
  }`

t.test('killed twice, opened again each time', async (t) => {
  const folder = t.testdir() + '/database'
  // Making one takes a second.
  await unpackImage('empty', folder)
  let acknowledged = 0
  for (let round = 0; round < 2; round++) {
    const writer = spawn(process.execPath, ['--liftoff-only', '--input-type=module', '-e', WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    const target = acknowledged + 200
    for await (const line of createInterface(writer.stdout)) {
      acknowledged = Number(line)
      if (acknowledged === target) writer.kill('SIGKILL')
    }
    if (writer.signalCode === null && writer.exitCode === null) await once(writer, 'exit')
    t.equal(writer.signalCode, 'SIGKILL')
    const db = await openPglite(folder)
    const [found] = await db.query<{ count: number, max: number }>('select count(*)::int as count, max(n) as max from written')
    await db.close()
    t.ok(found!.max >= acknowledged, `${found!.max} of ${acknowledged}`)
    t.equal(found!.count, found!.max, 'no gaps')
  }
})
