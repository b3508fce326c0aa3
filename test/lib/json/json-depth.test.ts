// One bound on the depth of JSON from outside: what is deeper is refused as the sender's mistake, wherever it comes in.
import { Readable } from 'node:stream'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import t from 'tap'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { isDeeperThan, MAX_JSON_DEPTH, parseBoundedJson } from '../../../src/lib/json/json-depth.js'
import { build, handshake, meta, post } from '../../helpers/build.js'

interface ErrorBody { error: { code: number, message: string } }

const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels)

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

t.test('the depth of a text is that of its value', async (t) => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) =>
    isDeeperThan(JSON.stringify(value, null, 1), most) === (depthOf(value) > most)))
  t.equal(isDeeperThan(JSON.stringify(['[[[[', '\\"[[[', { '[[[': '"]]' }]), 2), false, 'brackets in strings do not count')
  t.doesNotThrow(() => parseBoundedJson(nested(MAX_JSON_DEPTH)))
  t.throws(() => parseBoundedJson(nested(MAX_JSON_DEPTH + 1)), { name: 'JsonDepthError', message: /64 levels/ })
  t.equal(isDeeperThan(nested(2_000_000)), true, 'without recursion')
})

t.test('through the front door', async (t) => {
  const { app, key, db, log } = await build(t, { logLevel: 'error', platformToken: 'p'.repeat(40) })
  const session = await handshake(app, key)
  const deep = (levels: number) => nested(levels, '{"x":', '}').replace(':}', ':1}')

  for (const [name, payload] of Object.entries({
    'in params': `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${nested(7000)}}}`,
    'beside a requestState': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","requestState":"x","x":${nested(20_000)}}}`,
    'in the capabilities': `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"n","version":"1"},"capabilities":${deep(20_000)}}}`,
    'in inputResponses': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","inputResponses":${deep(20_000)}}}`,
    'in a batch': `[${nested(100)}]`,
    'as a response': `{"jsonrpc":"2.0","id":1,"result":${deep(5000)}}`
  })) {
    for (const headers of [{ 'mcp-session-id': session }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ping' }]) {
      const { status, body } = await post<ErrorBody>(app, key, payload, headers)
      t.equal(status, 400, name)
      t.match(body.error, { code: -32600, message: /nested deeper than 64 levels/ }, name)
    }
  }
  const allowed = {
    jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta(), x: JSON.parse(nested(50)) as unknown }
  }
  t.equal(
    (await post(app, key, allowed, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' })).status,
    200,
    'what is not too deep passes'
  )

  const platform = await app.inject({
    method: 'POST',
    url: '/api/v1/audit-events',
    headers: { authorization: `Bearer ${'p'.repeat(40)}`, 'content-type': 'application/json', host: 'localhost' },
    payload: nested(50_000)
  })
  t.equal(platform.statusCode, 400, 'the platform API')
  t.match(platform.body, /64 levels/)
  t.same(log, [], 'none is an error of the server')

  await t.rejects(importRecords(db, Readable.from([Buffer.from(`{"type":"workspace","x":${nested(100_000)}}\n`)]), { spoolDir: tmpdir() }),
    { message: /Line 1: the JSON is nested deeper than 64 levels/ }, 'imported records')
})
