// The trace of a request in the log.
import t from 'tap'
import { traceIdsOf } from '../../src/telemetry/tracing.js'
import { meets } from '../conformance/requirements.js'
import { build, meta, modern, post } from '../helpers/build.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${SPAN}-01`
const OTHER = '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01'

t.test('the log names the trace of the client, without an SDK: of _meta, else of the header; so does what goes wrong', async (t) => {
  const { app, key, log } = await build(t, {}, [], undefined, undefined, {
    audit: { record: async () => { throw new Error('disk full') }, purge: async () => 0, createPartitions: async () => 0 }
  })
  await modern(app, key, 'tools/list', { _meta: meta({ traceparent: PARENT }) }, { traceparent: OTHER })
  await modern(app, key, 'tools/list', {}, { traceparent: OTHER })
  await post(app, undefined, {}, { traceparent: OTHER })
  await modern(app, key, 'tools/list', { _meta: meta({ traceparent: ['x'] }) })
  await modern(app, key, 'tools/call', { name: 'ping', arguments: {}, _meta: meta({ traceparent: PARENT }) })
  const lines = log.map((line) => JSON.parse(line))
  const [meant, header, refused, none] = lines.filter(({ msg }) => msg === 'answered')
  t.match(meant, { trace_id: TRACE, span_id: SPAN })
  t.match(header, { trace_id: OTHER.slice(3, 35) })
  t.match(refused, { status: 401, trace_id: OTHER.slice(3, 35) })
  t.notOk('trace_id' in none)
  t.match(lines.find(({ msg }) => msg === 'unexpected error'), { trace_id: TRACE, span_id: SPAN })
})

t.test('a traceparent is what W3C Trace Context says it is', async (t) => {
  meets('trace-context')
  t.same(traceIdsOf(PARENT), { trace_id: TRACE, span_id: SPAN })
  t.same(traceIdsOf(`01-${TRACE}-${SPAN}-01-later`), { trace_id: TRACE, span_id: SPAN }, 'of a version to come')
  for (const none of [
    undefined, null, 7, {}, [PARENT], '', ` ${PARENT}`, `${PARENT}-more`, `${PARENT}\n`, `ff-${TRACE}-${SPAN}-01`, `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`, PARENT.toUpperCase(), `00-${TRACE}-${SPAN}`, `01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`
  ]) t.equal(traceIdsOf(none), undefined, String(none).slice(0, 60))
})
