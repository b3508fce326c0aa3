import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import {
  credentialsPath, holdCredentials, readCredentials, serverIn, tokenFileOf, tokenIn
} from '../../../src/agent-setup/credentials/credentials-file.js'
import { fileSystem, type Host } from '../../../src/agent-setup/file-system.js'

const machine = (t: Test): Host => ({ platform: 'linux', home: t.testdir(), env: {}, fileSystem })
const URL_1 = 'http://127.0.0.1:8080/mcp'

t.test('where it lies', async (t) => {
  const path = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    credentialsPath({ platform, home: platform === 'win32' ? 'C:\\Users\\a' : '/h', env })
  t.equal(path('linux'), '/h/.config/exploration-mcp/credentials.json')
  t.equal(path('linux', { XDG_CONFIG_HOME: '/x' }), '/x/exploration-mcp/credentials.json')
  t.equal(path('linux', { XDG_CONFIG_HOME: 'relative' }), '/h/.config/exploration-mcp/credentials.json', 'the specification: ignored')
  t.equal(path('darwin'), '/h/Library/Application Support/exploration-mcp/credentials.json')
  t.equal(path('darwin', { XDG_CONFIG_HOME: '/x' }), '/x/exploration-mcp/credentials.json')
  t.equal(tokenFileOf({ platform: 'linux', home: '/h', env: {} }, URL_1, '../../evil'), '/h/.config/exploration-mcp/tokens/127.0.0.1-8080-..-..-evil')
  t.equal(tokenIn({}, 'constructor'), undefined)
  t.match(path('win32', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }), /Roaming\\exploration-mcp\//)
})

t.test('others can read it, it is damaged, or of a version to come: not used, with the remedy', async (t) => {
  const here = machine(t)
  const path = credentialsPath(here)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '{"version":1,"servers":{}}', { mode: 0o600 })
  for (const mode of [0o640, 0o604]) {
    chmodSync(path, mode)
    await t.rejects(readCredentials(here), /chmod 600/, mode.toString(8))
    await t.rejects(holdCredentials(here), /chmod 600/)
  }
  chmodSync(path, 0o600)
  for (const text of ['', '[]', '{"version":2,"servers":{}}', '{"version":1,"servers":{"x":{}}}']) {
    writeFileSync(path, text)
    await t.rejects(readCredentials(here), /move it away/, text)
    t.equal(readFileSync(path, 'utf8'), text)
  }
  t.notOk(existsSync(join(dirname(path), 'lock')))
})

t.test('it goes when it is empty; a link stays one', async (t) => {
  const here = machine(t)
  const path = credentialsPath(here)
  const first = await holdCredentials(here)
  await first.save()
  await first.release()
  t.notOk(existsSync(dirname(path)), 'nothing was made for nothing')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(here.home, 'elsewhere'), '{"version":1,"servers":{}}', { mode: 0o600 })
  symlinkSync(join(here.home, 'elsewhere'), path)
  const second = await holdCredentials(here)
  serverIn(second.stored, URL_1)
  await second.save()
  await second.release()
  t.match(readFileSync(join(here.home, 'elsewhere'), 'utf8'), URL_1)
})
