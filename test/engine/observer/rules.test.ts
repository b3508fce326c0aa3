// @any-node: reads tables
// Each clause that a finding names exists: the headings of the specification's pages, as its site makes anchors of them.
import t from 'tap'
import { RULES } from '../../../src/engine/observer/rules.js'

const ANCHORS: Record<string, Record<string, string[]>> = {
  legacy: {
    basic: ['messages', 'requests', 'responses', 'notifications'],
    'basic/authorization': ['token-requirements'],
    'basic/lifecycle': ['initialization', 'operation'],
    'basic/transports': ['sending-messages-to-the-server', 'listening-for-messages-from-the-server', 'session-management', 'protocol-version-header'],
    'basic/utilities/cancellation': ['behavior-requirements'],
    'basic/utilities/progress': ['progress-flow'],
    'client/roots': ['capabilities'],
    'server/utilities/pagination': ['implementation-guidelines']
  },
  modern: {
    basic: ['messages', 'requests', 'notifications', 'meta'],
    'basic/authorization': ['token-requirements'],
    'basic/patterns/cancellation': ['transport-specific-cancellation'],
    'basic/patterns/mrtr': ['client-requirements-basic-workflow'],
    'basic/patterns/progress': ['progress-flow'],
    'basic/transports/streamable-http': ['sending-messages', 'protocol-version-header', 'standard-request-headers', 'client-behavior', 'earlier-streamable-http-revisions'],
    'basic/versioning': ['protocol-version-negotiation'],
    'seps/2663-tasks-extension': ['task-polling'],
    'server/discover': ['response'],
    'server/utilities/pagination': ['implementation-guidelines']
  }
}

t.test('rules', async (t) => {
  for (const [id, rule] of Object.entries(RULES)) {
    t.match(rule.sentence, /^[A-Za-z].*[.)]$/, id)
    const places = Object.entries(rule).filter(([key]) => key in ANCHORS) as Array<[string, readonly [string, string]]>
    t.ok(places.length > 0, `${id} stands somewhere`)
    for (const [era, [page, anchor]] of places) t.ok(ANCHORS[era]?.[page]?.includes(anchor), `${id} ${era}: ${page}#${anchor}`)
  }
})
