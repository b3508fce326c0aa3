/** What waits for a person, and where something has changed. */
import inbox from '#schemas/web/inbox.json' with { type: 'json' }
import inboxQuery from '#schemas/web/inbox_query.json' with { type: 'json' }
import { tagged } from '../operation.js'
import { EDITORS, READERS } from '../permission.js'

export const inboxOperations = tagged('changes', {
  'GET /inbox': {
    id: 'listInbox',
    summary: 'What waits for you: proposals, finished items, questions, failed gates, leases that have lapsed',
    may: EDITORS,
    query: inboxQuery,
    response: inbox
  },
  'GET /events': {
    id: 'followChanges',
    summary: 'Server-sent events: in which explorations something has changed',
    may: READERS,
    produces: ['text/event-stream']
  }
})
