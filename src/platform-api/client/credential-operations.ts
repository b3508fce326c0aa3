/** Operations of the platform API for credentials, device grants and the audit log. */
import about from '#schemas/platform-api/about.json' with { type: 'json' }
import auditBatch from '#schemas/platform-api/audit_batch.json' with { type: 'json' }
import auditKept from '#schemas/platform-api/audit_kept.json' with { type: 'json' }
import credentialId from '#schemas/platform-api/credential_id.json' with { type: 'json' }
import currentAnswer from '#schemas/platform-api/current.json' with { type: 'json' }
import deviceAnswer from '#schemas/platform-api/device_answer.json' with { type: 'json' }
import deviceCodes from '#schemas/platform-api/device_codes.json' with { type: 'json' }
import devicePoll from '#schemas/platform-api/device_poll.json' with { type: 'json' }
import deviceRequest from '#schemas/platform-api/device_request.json' with { type: 'json' }
import revocation from '#schemas/platform-api/revocation.json' with { type: 'json' }
import revoked from '#schemas/platform-api/revoked.json' with { type: 'json' }
import secret from '#schemas/platform-api/secret.json' with { type: 'json' }
import verification from '#schemas/platform-api/verification.json' with { type: 'json' }
import { operationsOf } from './operation.js'

export const callers = operationsOf({
  getPlatform: {
    route: 'GET /platform',
    summary: 'Whether the platform is there and lets this gateway in',
    answer: about
  },
  verifyCredential: {
    route: 'POST /credentials/verify',
    summary: 'Who is calling; asked with each request, so that what is revoked fails at the next call',
    body: secret,
    answer: verification
  },
  currentCredential: {
    route: 'POST /credentials/current',
    summary: 'What a credential that was verified before may do now; asked for open streams',
    body: credentialId,
    answer: currentAnswer,
    without: 'open streams end when something changes for their user'
  },
  revokeCredential: {
    route: 'POST /credentials/revoke',
    summary: 'Ends a credential, as its holder asked; twice is no error',
    body: revocation,
    answer: revoked,
    without: 'POST /api/v1/revoke of the gateway answers 503'
  },
  requestDevice: {
    route: 'POST /device-grants',
    summary: 'Codes for a tool on another machine (RFC 8628)',
    body: deviceRequest,
    answer: deviceCodes,
    once: true,
    without: 'the device grant of the gateway answers 503'
  },
  redeemDevice: {
    route: 'POST /device-grants/redeem',
    summary: 'The token of an approved code, once',
    body: devicePoll,
    answer: deviceAnswer,
    once: true,
    without: 'the device grant of the gateway answers 503'
  },
  keepAuditEvents: {
    route: 'POST /audit-events',
    summary: 'Keeps events of the audit log, each once by its id; answers when they are committed',
    body: auditBatch,
    answer: auditKept
  }
})
