import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { BOUNDS, readConfig } from '../src/config/config.js'
import { ignoredSettings } from '../src/config/removed-settings.js'

const refusal = (env: Record<string, string>, flags = {}): string => {
  try {
    readConfig(env, flags)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

t.test('defaults of the schema fill what is not given, and nothing can be changed afterwards', async (t) => {
  const config = readConfig({})
  t.match(config, { host: '127.0.0.1', port: 8080, dataDir: '.data', acceptRule: 'strict', sample: true, rateLimitPatPerDay: 20000 })
  t.same(config.allowedOrigins, [])
  t.notOk('databaseUrl' in config)
  t.ok(Object.isFrozen(config))
  t.ok(Object.isFrozen(config.allowedOrigins))
})

t.test('flags win over the environment, empty variables count as absent', async (t) => {
  const env = { PORT: '9000', HOST: '', DATA_DIR: '/srv/data', ALLOWED_ORIGINS: 'https://a.example, http://b.example:81', PATH: 'ignored' }
  t.match(readConfig(env, { port: '0', sample: false }), {
    port: 0, host: '127.0.0.1', dataDir: '/srv/data', sample: false, allowedOrigins: ['https://a.example', 'http://b.example:81']
  })
  t.equal(readConfig(env).port, 9000)
})

t.test('one sentence per fault, naming where the value came from', async (t) => {
  t.equal(refusal({ PORT: '70000' }), 'PORT must be at most 65535.')
  t.equal(refusal({}, { port: 'http' }), '--port must be an integer.')
  t.equal(refusal({}, { dataDir: 'x'.repeat(5000) }), '--data must have at most 4096 characters.')
  t.equal(
    refusal({ ACCEPT_RULE: 'lax', SAMPLE: 'perhaps' }),
    'ACCEPT_RULE must be one of "strict", "negotiated".\nSAMPLE must be a boolean.'
  )
  t.match(refusal({ URI_SCHEME: '1up' }), /^URI_SCHEME must match the pattern/)
  t.match(refusal({ ALLOWED_ORIGINS: 'https://a.example/path' }), /^ALLOWED_ORIGINS\[0\] must match/)
})

t.test('secrets come from a file too, and never appear in a fault', async (t) => {
  const file = join(t.testdir(), 'secret')
  writeFileSync(file, `${'s'.repeat(40)}\n`)
  t.equal(readConfig({ SESSION_SECRET_FILE: file }).sessionSecret, 's'.repeat(40))
  t.equal(readConfig({ SESSION_SECRET_FILE: file, SESSION_SECRET: 'e'.repeat(32) }).sessionSecret, 'e'.repeat(32))
  chmodSync(file, 0o600)
  t.equal(refusal({ SESSION_SECRET_FILE: `${file}.none` }), `There is no file ${file}.none (SESSION_SECRET_FILE).`)
  t.equal(refusal({ SESSION_SECRET: 'hunter2' }), 'SESSION_SECRET must have at least 32 characters.')
  t.notMatch(refusal({ DATABASE_URL: 'mysql://root:hunter2@db' }), /hunter2/)
  writeFileSync(file, `${'s'.repeat(40)}\n${'e'.repeat(32)}\n`)
  t.same(readConfig({ SESSION_SECRET_PREVIOUS_FILE: file }).sessionSecretPrevious, ['s'.repeat(40), 'e'.repeat(32)])
  t.equal(
    refusal({ SESSION_SECRET_PREVIOUS: `${'s, '.repeat(20)}\nhunter2` }),
    'SESSION_SECRET_PREVIOUS[1] must have at least 32 characters.'
  )
  t.same(readConfig({ PORT_FILE: file }).port, 8080, 'only secrets do')
})

t.test('TRUST_PROXY is a number of proxies or a list of them', async (t) => {
  for (const value of ['false', '0', 'true', '1', '10', '10.0.0.0/8', '192.0.2.1, fd00::/8,loopback', '::1']) {
    t.equal(readConfig({ TRUST_PROXY: value }).trustProxy, value)
  }
  t.match(refusal({ TRUST_PROXY: 'yes' }), /^TRUST_PROXY: "yes" is neither an address nor a network such as/)
  for (const wrong of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/0', '10.0.0.0/255.0.0.0', '1.2.3', '-1', ',', 'fe80::1%eth0', '10.0.0.1,,nginx']) {
    t.match(refusal({ TRUST_PROXY: wrong }), /^TRUST_PROXY/, wrong)
  }
  t.match(refusal({ TRUST_PROXY: '11' }), /^TRUST_PROXY is at most 10/)
})

t.test('no password in --database-url, which everybody can read; a file holds it', async (t) => {
  const file = join(t.testdir({ url: 'postgres://u:hunter2@db.example/x\n' }), 'url')
  for (const databaseUrl of ['postgres://u:hunter2@db.example/x', 'postgresql://u:@h/x', 'postgres://one:1,u:hunter2@two:2/x', 'postgres://h/x?password=hunter2', 'postgres://h/x?a=b&password=hunter2']) {
    const message = refusal({}, { databaseUrl })
    t.match(message, /--database-url can be read by everybody.*--database-url-file.*PGPASSFILE/, databaseUrl)
    t.notMatch(message, 'hunter2')
  }
  for (const databaseUrl of ['postgres://u@db.example/x', 'postgres://one:1,two:2/x', 'postgres:///x?host=/run', 'postgres://[::1]:5432/x']) {
    t.equal(readConfig({}, { databaseUrl }).databaseUrl, databaseUrl)
  }
  t.equal(readConfig({ DATABASE_URL: 'postgres://other/x' }, { databaseUrlFile: file }).databaseUrl, 'postgres://u:hunter2@db.example/x')
  t.equal(readConfig({ DATABASE_URL: 'postgres://u:p@h/x' }).databaseUrl, 'postgres://u:p@h/x', 'the environment is not for everybody')
  t.match(refusal({}, { databaseUrlFile: '/nowhere' }), /^There is no file .*--database-url-file/)
  t.match(refusal({}, { databaseUrlFile: file, databaseUrl: 'postgres://h/x' }), /not both/)
})

t.test('a removed variable is named with what to do, and stops the server only where ignoring it would open a door', async (t) => {
  const env = { FAILED_AUTH_PER_MINUTE: '5', SESSION_TTL_SECONDS_FILE: '/nowhere', BATCH_LIMIT: '', OAUTH_MAX_CLIENTS: '7' }
  t.match(readConfig(env), BOUNDS, 'its value counts no more')
  t.same(ignoredSettings(env), [
    'OAUTH_MAX_CLIENTS was removed. At most 10,000 applications register themselves. Remove the variable; ' +
      'OAUTH_REGISTRATIONS_PER_HOUR and OAUTH_ALLOWED_CLIENT_HOSTS restrict who registers.',
    'SESSION_TTL_SECONDS_FILE was removed. A session id is valid for a week. Remove the variable.',
    'FAILED_AUTH_PER_MINUTE was removed. An address may send 60 wrong credentials a minute. Remove the variable.'
  ])
  t.same(ignoredSettings({}), [])
  t.equal(refusal({ OAUTH_MAX_CLIENTS: '0' }),
    'OAUTH_MAX_CLIENTS=0 was removed. To keep applications from registering themselves set OAUTH_REGISTRATIONS_PER_HOUR=0.')
  t.match(refusal({ EMBEDDER: 'onnx', ONNX_MODEL: 'x' }), /^EMBEDDER=onnx was removed\..*\nONNX_MODEL was removed\./)
})
