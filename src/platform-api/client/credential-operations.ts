/** Operations of the platform API for credentials, device grants and the audit log. */
import shapes from '#schemas/platform-api/credentials.json' with { type: 'json' }
import { operationsOf } from './operation.js'

export const callers = operationsOf({
  getPlatform: {
    route: 'GET /platform',
    summary: 'Whether the platform is there and lets this gateway in',
    answer: shapes.about
  },
  verifyCredential: {
    route: 'POST /credentials/verify',
    summary: 'Who is calling; asked with each request, so that what is revoked fails at the next call',
    body: shapes.secret,
    answer: shapes.verification
  },
  currentCredential: {
    route: 'POST /credentials/current',
    summary: 'What a credential that was verified before may do now; asked for open streams',
    body: shapes.credentialId,
    answer: shapes.currentAnswer,
    without: 'open streams end when something changes for their user'
  },
  revokeCredential: {
    route: 'POST /credentials/revoke',
    summary: 'Ends a credential, as its holder asked; twice is no error',
    body: shapes.revocation,
    answer: shapes.revoked,
    without: 'POST /api/v1/revoke of the gateway answers 503'
  },
  requestDevice: {
    route: 'POST /device-grants',
    summary: 'Codes for a tool on another machine (RFC 8628)',
    body: shapes.deviceRequest,
    answer: shapes.deviceCodes,
    once: true,
    without: 'the device grant of the gateway answers 503'
  },
  redeemDevice: {
    route: 'POST /device-grants/redeem',
    summary: 'The token of an approved code, once',
    body: shapes.devicePoll,
    answer: shapes.deviceAnswer,
    once: true,
    without: 'the device grant of the gateway answers 503'
  },
  keepAuditEvents: {
    route: 'POST /audit-events',
    summary: 'Keeps events of the audit log, each once by its id; answers when they are committed',
    body: shapes.auditBatch,
    answer: shapes.auditKept
  }
})
