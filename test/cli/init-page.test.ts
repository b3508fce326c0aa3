// The page where `init` is approved opens in the browser of anyone who sits at the terminal.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sqlDeviceGrants } from '../../src/db/credentials/sql-device-grants.js'
import { commandLine } from '../helpers/command-line.js'
import { webServer } from '../helpers/web.js'

type Around = Parameters<typeof commandLine>[1]

t.test('init against a server with pages', async (t) => {
  const { app, db, wide } = await webServer(t)
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  t.equal((await app.inject({ url: '/sign-in', headers: { accept: 'text/html' } })).statusCode, 200, 'the pages are built')
  const grants = sqlDeviceGrants(db)
  const folder = t.testdir()
  let count = 0
  const elsewhere = (t: Test, around: Around) => {
    count += 1
    const cli = commandLine(t, { ...around, data: join(folder, `none-${count}`, 'data') })
    mkdirSync(join(cli.home, '.cursor'))
    return cli
  }
  const terminal = { isTTY: true }
  const ask = async (here: ReturnType<typeof elsewhere>, line = `init --yes --url ${url}`, at = terminal) => {
    const waiting = here.begin(line, at)
    const code = await waiting.heard(/\n {2}([A-Z]{4}-[A-Z]{4})\n/)
    return { ...waiting, code, give: () => grants.approve(code, wide.email) }
  }

  // Other systems always have a screen.
  const withoutScreen: Record<string, string> = process.platform === 'linux' ? {} : { CI: '1' }
  t.jobs = 4

  t.test('on a terminal of a machine with a screen it opens', async (t) => {
    const here = elsewhere(t, { env: { DISPLAY: ':0' } })
    const waiting = await ask(here)
    await waiting.heard(/The page opens in your browser/)
    t.same(here.pages(), [`${new URL(url).origin}/device?user_code=${waiting.code}`])
    await waiting.give()
    t.match(await waiting.ended, { code: 0, out: /verified/ })
  })

  t.test('a browser that does not start is no error', async (t) => {
    const withoutBrowser = elsewhere(t, {
      env: { WAYLAND_DISPLAY: 'wayland-0' }, openInBrowser: async () => { throw new Error('spawn ENOENT') }
    })
    const alone = await ask(withoutBrowser)
    await alone.give()
    t.match(await alone.ended, { code: 0, err: /Approve it in a browser/ })
    t.notMatch((await alone.ended).err, /opens in your browser/)
    t.equal(withoutBrowser.pages().length, 1)
  })

  t.test('it does not open by --no-browser, without a terminal, without a screen, from afar', async (t) => {
    const screen = { DISPLAY: ':0' }
    const cases = [
      [screen, `init --yes --no-browser --url ${url}`, terminal],
      [screen, `init --yes --url ${url}`, { isTTY: false }],
      [withoutScreen, `init --yes --url ${url}`, terminal],
      [{ ...screen, SSH_CONNECTION: '192.0.2.1 22' }, `init --yes --url ${url}`, terminal]
    ] as const
    await Promise.all(cases.map(async ([env, line, at]) => {
      const here = elsewhere(t, { env })
      const waiting = await ask(here, line, at)
      t.match(await waiting.heard(/Approve it in a browser.*/), `/device?user_code=${waiting.code}`)
      await waiting.give()
      t.match(await waiting.ended, { code: 0 })
      t.same(here.pages(), [])
    }))
  })
})
