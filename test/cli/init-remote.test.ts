// `init` against a server whose data folder is elsewhere: a code that someone approves, on a page that opens in the browser of anyone
// who sits at the terminal, and a token that its holder ends.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sqlDeviceGrants } from '../../src/db/credentials/sql-device-grants.js'
import { readingTools as tools } from '../helpers/reading-tools.js'
import type { DeviceGrants } from '../../src/access/credentials/device-grants.js'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { sampleDatabase } from '../helpers/database.js'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { webServer } from '../helpers/web.js'

t.test('a server elsewhere', async (t) => {
  const db = await sampleDatabase(t)
  const grants = sqlDeviceGrants(db)
  // A second between polls, not five: the code is decided by then.
  const devices: DeviceGrants = {
    ...grants,
    async request (asked) {
      const codes = await grants.request(asked)
      return codes && { ...codes, interval: 1 }
    }
  }
  const { app, wide: user, backend: { credentials, audit } } = await webServer(t, {}, db, { devices })
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  const folder = t.testdir()
  let count = 0
  const elsewhere = (t: Test, around: Parameters<typeof commandLine>[1] = {}) => {
    const cli = commandLine(t, { ...around, data: join(folder, `${++count}`, 'none') })
    mkdirSync(join(cli.home, '.cursor'))
    return {
      ...cli,
      token: () => /Bearer (svc_\w+)/.exec(readFileSync(join(cli.home, '.cursor/mcp.json'), 'utf8'))![1]!,
      untouched: () => !existsSync(join(cli.home, '.config/exploration-mcp')) && !existsSync(join(cli.home, '.cursor/mcp.json'))
    }
  }
  const ask = async (here: ReturnType<typeof elsewhere>, line = `init --yes --url ${url}`, isTTY = false) => {
    const waiting = here.begin(line, { isTTY })
    const code = await waiting.heard(/\n {2}([A-Z]{4}-[A-Z]{4})\n/)
    return { ...waiting, code, give: () => grants.approve(code, user.email), deny: () => grants.deny(code) }
  }
  const status = async (token: string) => (await fetch(url, modernRequest(token, 'tools/list'))).status
  t.jobs = 4

  t.test('approved: registered, tried out, rotated, ended', async (t) => {
    const here = elsewhere(t)
    const waiting = await ask(here)
    t.match(await waiting.heard(/device approve .*/), waiting.code)
    t.notOk(existsSync(join(here.home, '.cursor/mcp.json')), 'nothing before there is a token')
    t.match((await grants.list())[0], { name: 'testhost', client_id: 'exploration-mcp' })
    await waiting.give()
    const done = await waiting.ended
    t.match(done, { code: 0, out: new RegExp(`✔ Cursor: .*verified: ${tools.length} tools`) })
    const first = here.token()
    t.notOk((done.out + done.err).includes(first))
    t.match(await here.run('init --yes'), { code: 0, out: /unchanged, verified/ }, 'the one server that is known')

    const rotating = await ask(here, 'init --rotate --yes')
    await rotating.give()
    t.match(await rotating.ended, { code: 0, out: /Revoked: / })
    t.equal(await status(first), 401)
    t.equal(await status(here.token()), 200)

    const second = here.token()
    t.match(await here.run('uninstall --yes'), { code: 0, out: /is revoked/ })
    t.equal(await status(second), 401)
    t.ok(here.untouched())
    t.match((await audit.list({ limit: 50, action: 'credential/revoked' })).map(({ actor }) => actor), [/its holder/, /its holder/])
  })

  t.test('denied, or given up', async (t) => {
    const here = elsewhere(t)
    const waiting = await ask(here)
    await waiting.deny()
    t.match(await waiting.ended, { code: 1, err: /was denied/ })
    t.ok(here.untouched())
    const other = await ask(here)
    t.match(await other.stop(), { code: 1 })
    t.match(await other.ended, { err: /Stopped/ })
    t.ok(here.untouched())
  })

  t.test('a rotation that is denied leaves the old token', async (t) => {
    const here = elsewhere(t)
    const { token } = await credentials.createToken({ user: user.id, name: 'mine' })
    t.match(await here.run(`init --yes --url ${url} --token-file -`.split(' '), token), { code: 0 })
    const rotating = await ask(here, 'init --rotate --yes')
    await rotating.deny()
    t.match(await rotating.ended, { code: 1, err: /denied.*old token goes on working/ })
    t.equal(here.token(), token)
    t.equal(await status(token), 200)
    t.match(await here.run('uninstall --yes --keep-token'), { code: 0 })
    t.equal(await status(token), 200, 'kept')
    t.match(await here.run('uninstall --yes'), { code: 0, out: /is revoked/ }, 'and ended later')
    t.equal(await status(token), 401)
  })

  t.test('a server that is gone cannot end a token: that is said, and done later', async (t) => {
    const here = elsewhere(t)
    const { token } = await credentials.createToken({ user: user.id, name: 'mine' })
    const proxy = await tcpProxy(t, url)
    t.match(await here.run(`init --yes --url ${proxy.url} --token-file -`.split(' '), token), { code: 0 })
    await proxy.refuse()
    t.match(await here.run('uninstall --yes'), {
      code: 1, out: /✔ Cursor[^]*✖ The token .* still works: .*cannot be reached/, err: /Not everything/
    })
    t.equal(await status(token), 200)
    await proxy.restore()
    t.match(await here.run('uninstall --yes'), { code: 0, out: /is revoked/ })
    t.equal(await status(token), 401)
    t.ok(here.untouched())
  })

  t.test('the page opens on a terminal of a machine with a screen; a browser that does not start is no error', async (t) => {
    const here = elsewhere(t, { env: { DISPLAY: ':0' } })
    const waiting = await ask(here, undefined, true)
    await waiting.heard(/The page opens in your browser/)
    t.same(here.pages(), [`${new URL(url).origin}/device?user_code=${waiting.code}`])
    const withoutBrowser = elsewhere(t, {
      env: { WAYLAND_DISPLAY: 'wayland-0' }, openInBrowser: async () => { throw new Error('spawn ENOENT') }
    })
    const alone = await ask(withoutBrowser, undefined, true)
    await Promise.all([waiting.give(), alone.give()])
    t.match(await waiting.ended, { code: 0, out: /verified/ })
    t.match(await alone.ended, { code: 0, err: /Approve it in a browser/ })
    t.notMatch((await alone.ended).err, /opens in your browser/)
    t.equal(withoutBrowser.pages().length, 1)
  })

  t.test('it does not open by --no-browser, without a terminal, without a screen, from afar', async (t) => {
    const screen = { DISPLAY: ':0' }
    // Other systems always have one.
    const withoutScreen: Record<string, string> = process.platform === 'linux' ? {} : { CI: '1' }
    for (const [env, option, isTTY] of [
      [screen, ' --no-browser', true], [screen, '', false], [withoutScreen, '', true], [{ ...screen, SSH_CONNECTION: '192.0.2.1 22' }, '', true]
    ] as const) {
      const here = elsewhere(t, { env })
      const waiting = await ask(here, `init --yes --url ${url}${option}`, isTTY)
      t.match(await waiting.heard(/Approve it in a browser.*/), `/device?user_code=${waiting.code}`)
      t.match(await waiting.stop(), { code: 1 })
      t.same(here.pages(), [])
    }
  })
})
