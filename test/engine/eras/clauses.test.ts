// Each clause that a refusal names exists: the headings of the specification's pages, as its site makes anchors of them.
import t from 'tap'
import { CLAUSES } from '../../../src/engine/eras/clauses.js'

const ANCHORS: Record<string, Record<string, string[]>> = {
  legacy: {
    basic: ['messages', 'error-responses'],
    'basic/transports': ['security-warning', 'sending-messages-to-the-server', 'listening-for-messages-from-the-server', 'multiple-connections',
      'session-management', 'protocol-version-header'],
    'basic/lifecycle': ['capability-negotiation'],
    'basic/authorization': ['token-handling', 'error-handling'],
    'basic/utilities/cancellation': ['behavior-requirements'],
    'server/tools': ['error-handling', 'security-considerations'],
    'server/resources': ['error-handling']
  },
  modern: {
    basic: ['messages', 'error-codes', 'statelessness', 'meta'],
    'basic/versioning': ['protocol-version-negotiation'],
    'basic/transports/streamable-http': ['security-endpoint', 'sending-messages', 'server-validation', 'earlier-streamable-http-revisions'],
    'basic/authorization': ['token-handling', 'error-handling'],
    'basic/patterns/subscriptions': ['multiple-concurrent-subscriptions'],
    'basic/patterns/cancellation': ['behavior-requirements'],
    'server/tools': ['security-considerations'],
    'server/resources': ['error-handling']
  }
}

t.test('clauses', async (t) => {
  for (const [kind, eras] of Object.entries(CLAUSES)) {
    for (const [era, [page, anchor]] of Object.entries(eras)) t.ok(ANCHORS[era]?.[page]?.includes(anchor), `${kind} ${era}: ${page}#${anchor}`)
  }
})
