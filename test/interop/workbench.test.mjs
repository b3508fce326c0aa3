// The product as a stranger gets it: the packed tarball, installed by npm in an empty folder, run by npx.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Ajv from 'ajv'
import { packageName } from '../../scripts/production-packages.mjs'
import { newerNode } from './newer-node.mjs'

const run = promisify(execFile)
const XSD = fileURLToPath(new URL('../client-testing/junit.xsd', import.meta.url))
/** By the schema that the format's committee published, which says what it means in a draft that ajv no longer has. */
const { $schema, id, ...SARIF } = JSON.parse(await readFile(new URL('./node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', import.meta.url), 'utf8'))
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(SARIF)
const BUFFER = { maxBuffer: 64 * 1024 * 1024 }

/** The handshake and one list; then the sockets on which the process that started it listens, and as many seconds as it is told to wait. */
const CLIENT = `
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
const headers = { authorization: 'Bearer ' + process.env.MCP_TOKEN, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const send = (body, more) => fetch(process.env.MCP_URL, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...body }) })
const hello = await send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'visitor', version: '1' } } })
await hello.text()
const session = { 'mcp-session-id': hello.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' }
await (await send({ method: 'notifications/initialized' }, session)).text()
await (await send({ id: 2, method: 'tools/list' }, session)).text()
const sockets = () => {
  const own = new Set(readdirSync('/proc/' + process.ppid + '/fd').flatMap((fd) => {
    try {
      return [/^socket:\\[(\\d+)\\]$/.exec(readlinkSync('/proc/' + process.ppid + '/fd/' + fd))?.[1]]
    } catch {
      return []
    }
  }))
  return ['tcp', 'tcp6', 'udp', 'udp6'].filter((table) => existsSync('/proc/net/' + table)).flatMap((table) => readFileSync('/proc/net/' + table, 'utf8').split('\\n').slice(1).map((line) => line.trim().split(/\\s+/))
    .filter(([, address, , state, , , , , , inode]) => address !== undefined && inode !== undefined && (state === '0A' || table.startsWith('udp')) && own.has(inode)).map(([, address]) => table + ' ' + address.split(':')[0]))
}
if (process.env.OUTPUT) writeFileSync(process.env.OUTPUT, JSON.stringify({ url: process.env.MCP_URL, sockets: process.platform === 'linux' ? sockets() : [] }))
if (process.env.STAY) setInterval(() => {}, 1000)
`

describe('the packed program', () => {
  let folder
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interop-workbench-'))
    await mkdir(join(folder, 'empty'))
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: fileURLToPath(new URL('../../', import.meta.url)), ...BUFFER })
    const tarball = join(folder, JSON.parse(stdout)[0].filename)
    await run('npm', ['install', '--engine-strict', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: join(folder, 'empty'), ...BUFFER })
    await writeFile(join(folder, 'client.mjs'), CLIENT)
  })
  after(async () => { await rm(folder, { recursive: true, force: true }) })

  const INSTALLED = ['node_modules', 'package-lock.json', 'package.json']
  const env = (more = {}) => ({ PATH: process.env.PATH, HOME: join(folder, 'home'), npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? '', '.npm'), ...more })

  const NPX = ['npx', '--offline', 'exploration-mcp']
  /** What npx starts, a second later. */
  const INSTALLED_PROGRAM = 'node_modules/.bin/exploration-mcp'

  /** A command in the folder, in a process group of its own, as a terminal starts it. */
  const start = ([program, ...words], more) => {
    const child = spawn(program, words, { cwd: join(folder, 'empty'), env: env(more), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(([[code, signal], out, err]) => ({ code, signal, out, err }))
    return { child, ended }
  }

  const requireFree = async (url) => {
    const server = createServer().listen(Number(new URL(url).port), '127.0.0.1')
    await once(server, 'listening')
    server.close()
  }

  /** Resolves with the JSON of a file when it is there. Rejects when the process ends before. */
  const waitFor = async (file, ended = new Promise(() => {})) => {
    let outcome
    ended.then((value) => { outcome = value })
    for (;;) {
      if (outcome !== undefined) throw new Error(`It ended with ${outcome.code}: ${outcome.err}`)
      const content = await readFile(file, 'utf8').catch(() => '')
      if (content !== '') return JSON.parse(content)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  test('npm installs the packages that are tested', async () => {
    const read = async (file) => JSON.parse(await readFile(file, 'utf8')).packages
    // A registry may have a newer release of a package's package: the same name and major version are the same package.
    const namesOf = (packages) => new Set(Object.entries(packages)
      .filter(([path, { dev, optional, peer }]) => path !== '' && !path.endsWith('/exploration-mcp') && !dev && !optional && !peer)
      .map(([path, { version }]) => `${packageName(path)}@${/^(0\.)?\d+/.exec(version)[0]}`))
    const installed = namesOf(await read(join(folder, 'empty/package-lock.json')))
    assert.deepEqual([...installed].sort(), [...namesOf(await read(new URL('../../package-lock.json', import.meta.url)))].sort())
  })

  test('grade leaves nothing behind, and listens on 127.0.0.1 only', async () => {
    const output = join(folder, 'first.json')
    const { code, out, err } = await start([...NPX, 'grade', '--profile', 'reply-stream', '--', process.execPath, join(folder, 'client.mjs')], { OUTPUT: output }).ended
    assert.equal(code, 0, err)
    assert.match(out, /visitor 1: \d+ passed, 0 failed/)
    const { url, sockets } = await waitFor(output)
    assert.equal(new URL(url).hostname, '127.0.0.1')
    if (process.platform === 'linux') {
      assert.ok(sockets.length >= 2, 'the server and the proxy')
      assert.deepEqual([...new Set(sockets)], ['tcp 0100007F'])
    }
    await requireFree(url)
    assert.deepEqual((await readdir(join(folder, 'empty'))).sort(), INSTALLED)
  })

  for (const signal of ['SIGINT', 'SIGTERM']) {
    test(`${signal} while the command runs: the report of what was seen, and 130`, { timeout: 600_000 }, async () => {
      const output = join(folder, `${signal}.json`)
      const report = join(folder, `${signal}-report.json`)
      const words = [...NPX, 'grade', '--report', `json=${report}`, '--', process.execPath, join(folder, 'client.mjs')]
      const { child, ended } = start(words, { OUTPUT: output, STAY: '1' })
      const { url } = await waitFor(output, ended)
      process.kill(-child.pid, signal)
      const { code, signal: by, out } = await ended
      // npm ends by the signal that it passed on; what it started has ended with the code before.
      assert.ok(code === 130 || by === signal, `${code} ${by}`)
      assert.match(out, /visitor 1: \d+ passed/)
      const { checks, notes } = JSON.parse(await readFile(report, 'utf8'))
      assert.ok(checks.some(({ status }) => status === 'passed'))
      assert.match(notes.join(' '), /was stopped/)
      await requireFree(url)
      assert.deepEqual((await readdir(join(folder, 'empty'))).sort(), INSTALLED)
    })
  }

  /** Options that write every format of a report, and what reads the failures when SARIF and JUnit are valid. */
  const reports = (name) => {
    const file = (format) => join(folder, `${name}.${format}`)
    return {
      words: ['junit', 'sarif', 'html', 'json', 'markdown', 'badge'].flatMap((format) => ['--report', `${format}=${file(format)}`]),
      read: async () => {
        const sarif = JSON.parse(await readFile(file('sarif'), 'utf8'))
        assert.ok(isSarif(sarif), JSON.stringify(isSarif.errors))
        const { stderr } = await run('xmllint', ['--noout', '--schema', XSD, file('junit')]).catch((error) => error.code === 'ENOENT' ? { stderr: '' } : Promise.reject(error))
        assert.doesNotMatch(stderr, /fails to validate/)
        for (const format of ['html', 'markdown', 'badge']) assert.ok((await readFile(file(format), 'utf8')).length > 100, format)
        const { checks, summary } = JSON.parse(await readFile(file('json'), 'utf8'))
        assert.ok(summary.passed > 0, JSON.stringify(summary))
        return checks.filter(({ status }) => status === 'failed').map(({ id, detail }) => `${id}: ${detail}`)
      }
    }
  }

  test('grade --authorization', { timeout: 600_000 }, async () => {
    const { words, read } = reports('authorization')
    const client = [process.execPath, fileURLToPath(new URL('../../scripts/test/run-compiled.mjs', import.meta.url)), 'test/client-testing/authorized-command.ts']
    const { code, out, err } = await start([INSTALLED_PROGRAM, 'grade', '--authorization', '--profile', 'iss-wrong', ...words, '--', ...client]).ended
    assert.equal(code, 0, `${out}${err}`)
    assert.deepEqual(await read(), [])
  })

  test('observe', { timeout: 600_000 }, async () => {
    const { words, read } = reports('observe')
    const { child, ended } = start([INSTALLED_PROGRAM, 'observe', '--port', '0', '--no-sample', ...words], { DATA_DIR: join(folder, 'observed') })
    const [, endpoint] = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(line)
        if (found) resolve(found)
      })
      ended.then(({ err }) => reject(new Error(err)))
    })
    await (await fetch(endpoint, { method: 'POST', body: '{}', headers: { 'user-agent': 'careless/1', 'content-type': 'application/json', accept: 'application/json' } })).text()
    process.kill(-child.pid, 'SIGINT')
    await ended
    assert.match((await read()).join('\n'), /accept-incomplete/)
  })

  test('serve', { timeout: 600_000 }, async (t) => {
    // In one era, as the suite starts anew for each of eight scenarios of an era; test/conformance plays both with the product.
    const { child, ended } = start([...NPX, 'serve', '--port', '0', '--json'], { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent', REVISIONS: '2025-11-25' })
    t.after(async () => {
      process.kill(-child.pid, 'SIGTERM')
      await ended
      assert.deepEqual((await readdir(join(folder, 'empty'))).sort(), INSTALLED)
    })
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(({ err }) => { throw new Error(err) })])
    const { endpoint, key, sign_in: { url: link } } = JSON.parse(line)

    await t.test('the sample data for an agent, and the pages', async () => {
      const reply = await fetch(endpoint, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'visitor', version: '1' } } })
      })
      assert.equal(reply.status, 200)
      assert.ok((await reply.json()).result.capabilities.tools)

      const shell = await fetch(link, { headers: { accept: 'text/html' } })
      assert.equal(shell.status, 200)
      const assets = [...(await shell.text()).matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)
      assert.ok(assets.length >= 2, 'scripts and styles')
      for (const path of assets) {
        const asset = await fetch(new URL(path, link))
        assert.equal(asset.status, 200, path)
        assert.match(asset.headers.get('content-type'), /javascript|css/)
      }
    })

    await t.test('conformance, surface and audit-auth, of the server that it serves', async () => {
      const lock = ['--lock', join(folder, 'surface.json')]
      // The suite compiles itself at each of its starts otherwise.
      const { NODE_COMPILE_CACHE } = newerNode()
      for (const [name, ...words] of [
        ['conformance', 'conformance', '--url', endpoint], ['lock', 'surface', 'lock', endpoint, ...lock], ['diff', 'surface', 'diff', endpoint, ...lock],
        ['audit', 'audit-auth', new URL('/oauth/mcp', endpoint).href, '--non-interactive']
      ]) {
        const { words: every, read } = reports(name)
        const { code, out, err } = await start([INSTALLED_PROGRAM, ...words, ...every], { EXPLORATION_MCP_TOKEN: key, NODE_COMPILE_CACHE }).ended
        assert.equal(code, 0, `${name}\n${out}${err}`)
        assert.deepEqual(await read(), [])
      }
    })
  })
})
