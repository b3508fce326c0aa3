// The image without an engine: built step by step in folders, run by a user without rights where only /tmp, and a volume, can be written.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { freePort } from '../../scripts/services/process.mjs'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { build } from './image.js'
import { NO_TOPOLOGY } from './topology.js'

// In a name space of its own, as in a container, where the machine lets root make one; $0 is what stays writable.
const MOUNTED = `
  mount --bind "$0" "$0"
  mount -t tmpfs -o mode=1777 tmpfs /tmp
  mount -o remount,bind,ro /`
// What the tests load into every process is none of the image's.
const UNPRIVILEGED = `
  unset NODE_OPTIONS
  uid=$1 gid=$2
  shift 2
  exec setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --bounding-set=-all "$@"`
const SEALED = spawnSync('unshare', ['--mount', 'true']).status === 0
  ? ['unshare', '--mount', '--propagation', 'private', 'sh', '-euc', MOUNTED + UNPRIVILEGED]
  : ['sh', '-euc', UNPRIVILEGED]

t.test('the image is built, serves embedded and hosted, and knows that it lives', { skip: NO_TOPOLOGY }, async (t) => {
  const folder = mkdtempSync('/var/tmp/exploration-mcp-image-')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const node = execFileSync('npx', ['-y', '-p', 'node@24', '-c', 'node -p process.execPath'], { encoding: 'utf8' }).trim()
  mkdirSync(`${folder}/bin`)
  cpSync(node, `${folder}/bin/node`)
  const path = `${folder}/bin:${process.env['PATH']}`
  const image = build(folder, path)

  const files = readdirSync(join(image.folder, 'app'), { recursive: true }) as string[]
  for (const file of ['dist/cli.js', 'schemas/config.json', 'LICENSE', 'dist/search/embedders/word-vectors/wordnet.bin']) t.ok(files.includes(file), file)
  t.same(files.filter((file) => /^(src|test|scripts|\.\w+|node_modules\/(typescript|tap|eslint))(\/|$)/.test(file)), [], 'only what it runs on')
  t.same(files.filter((file) => /\.map$|\.d\.[mc]?ts$/.test(file)), [], 'nothing that only people and compilers read')
  t.notOk(/(^|:)(0|root)?(:|$)/.test(image.user))

  const volume = join(folder, 'volume')
  mkdirSync(volume)
  for (const open of [folder, image.folder]) chmodSync(open, 0o755)
  execFileSync('chown', [image.user, volume])
  const port = await freePort()

  const begin = (command: string[], settings: Record<string, string>) => {
    const [program, ...args] = command.map((word) => word.startsWith('/') ? join(image.folder, word) : word)
    const [run, ...before] = SEALED
    const child = spawn(run!, [...before, volume, ...image.user.split(':'), program!, ...args], {
      cwd: join(image.folder, 'app'),
      env: { ...image.environment, PATH: path, HOST: '127.0.0.1', PORT: `${port}`, ...settings },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.teardown(() => child.kill('SIGKILL'))
    const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code], err]) => ({ code, err }))
    return { child, ended }
  }

  const ways: Record<string, Record<string, string>> = {
    embedded: { DATA_DIR: volume },
    hosted: { DATABASE_URL: await ownDatabase(t, SERVER!), SESSION_SECRET: 'a secret that is long enough to be one' }
  }
  for (const [way, settings] of Object.entries(ways)) {
    const health = async () => (await begin(image.healthcheck, settings).ended).code
    t.equal(await health(), 1, `${way}: no one there yet`)
    const { child, ended } = begin(image.command, settings)
    const hello = await Promise.race([once(child.stdout, 'data').then(String), ended.then(({ err }) => { throw new Error(err) })])
    t.match(hello, /svc_key_/)
    t.equal(await health(), 0)
    child.kill('SIGTERM')
    t.match(await ended, { code: 0 })
  }
})
