/** For each profile: the era and the capabilities of the client, and the defects by which it is caught. */
import type { Outcome } from '../../src/client-testing/profiles/profile.js'
import type { AuthorizationDefect } from './client/authorized.js'
import type { Defect } from './client/defects.js'

export interface ProfileCase {
  era?: 'legacy' | 'modern'
  capabilities?: Record<string, unknown>
  defects: readonly Defect[]
  /** How the client with these defects is judged. */
  outcome: Outcome
}

export const ABLE = { sampling: {}, elicitation: {}, roots: {} }
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const SKILLS = { extensions: { 'io.modelcontextprotocol/skills': {} } }
const modern = { era: 'modern' } as const

export const CASES: Readonly<Record<string, ProfileCase>> = {
  'reply-stream': { ...modern, defects: ['noStream'], outcome: 'fails in words' },
  'reply-json': { defects: ['noJson'], outcome: 'fails in words' },
  'slow-first-byte': { defects: ['impatient', 'crashes'], outcome: 'crashes' },
  'stream-comments': { defects: ['commentsAreErrors'], outcome: 'fails in words' },
  'stream-split-utf-8': { defects: ['strictChunks'], outcome: 'fails in words' },
  'stream-cr': { defects: ['onlyLf'], outcome: 'fails in words' },
  'stream-crlf': { defects: ['blankLineIsLf'], outcome: 'fails in words' },
  'stream-data-lines': { ...modern, defects: ['firstDataLine'], outcome: 'fails in words' },
  'stream-byte-order-mark': { defects: ['keepsMark'], outcome: 'fails in words' },
  'stream-unknown-event': { defects: ['everyEvent'], outcome: 'fails in words' },
  'stream-retry-field': { ...modern, defects: ['emptyData'], outcome: 'fails in words' },

  'stream-cut-resumable': { defects: ['resendsCutRequest'], outcome: 'breaks the rule' },
  'stream-closed-with-retry': { defects: ['ignoresRetry'], outcome: 'breaks the rule' },
  'stream-cut': { defects: ['waitsForEver'], outcome: 'hangs' },
  'get-refused': { defects: ['needsStream'], outcome: 'fails in words' },
  'get-ends-at-once': { defects: ['reopensAtOnce'], outcome: 'breaks the rule' },
  'get-fails': { defects: ['needsStream'], outcome: 'fails in words' },

  'id-other': { defects: ['anyId'], outcome: 'accepts it' },
  'id-missing': { ...modern, defects: ['anyId'], outcome: 'accepts it' },
  'id-null': { defects: ['anyId'], outcome: 'accepts it' },
  'id-other-type': { defects: ['looseIds'], outcome: 'accepts it' },
  'two-responses': { defects: ['lastResponse'], outcome: 'accepts it' },
  'result-and-error': { defects: ['resultFirst'], outcome: 'accepts it' },
  'result-missing': { defects: ['unguarded'], outcome: 'crashes' },
  'result-no-object': { defects: ['unguarded'], outcome: 'crashes' },
  'error-malformed': { ...modern, defects: ['unguarded'], outcome: 'crashes' },
  'jsonrpc-missing': { defects: ['anyJsonRpc'], outcome: 'accepts it' },
  'jsonrpc-other': { ...modern, defects: ['anyJsonRpc'], outcome: 'accepts it' },
  'response-null': { defects: ['unguarded'], outcome: 'crashes' },

  'json-half': { defects: ['crashes'], outcome: 'crashes' },
  'json-invalid-utf-8': { defects: ['lenientUtf8'], outcome: 'accepts it' },
  'html-page': { ...modern, defects: ['hangs'], outcome: 'hangs' },
  'empty-body': { defects: ['waitsForEver'], outcome: 'hangs' },
  'plain-text': { defects: ['anyType'], outcome: 'accepts it' },
  'accepted-request': { defects: ['waitsForEver'], outcome: 'hangs' },
  'content-length-too-long': { defects: ['lenientLength'], outcome: 'accepts it' },
  'event-not-json': { defects: ['crashes'], outcome: 'crashes' },
  'stream-without-response': { ...modern, defects: ['waitsForEver'], outcome: 'hangs' },

  'session-gone': { defects: ['neverRenews'], outcome: 'fails in words' },
  'no-session': { defects: ['needsSession'], outcome: 'fails in words' },
  'delete-refused': { defects: ['strictDelete'], outcome: 'fails in words' },
  'session-id-space': { defects: ['anySessionId'], outcome: 'accepts it' },
  'session-id-control': { defects: ['anySessionId'], outcome: 'accepts it' },

  'revision-older': { defects: ['keepsVersion'], outcome: 'breaks the rule' },
  'revision-unknown': { defects: ['anyRevision'], outcome: 'accepts it' },
  'revision-without-handshake': { defects: ['anyRevision'], outcome: 'accepts it' },
  'revision-no-text': { defects: ['anyRevision'], outcome: 'accepts it' },
  'version-unsupported': { ...modern, defects: ['neverChooses'], outcome: 'breaks the rule' },
  'server-of-before': { ...modern, defects: ['neverChooses'], outcome: 'breaks the rule' },
  'header-mismatch': { ...modern, defects: ['crashes'], outcome: 'crashes' },
  'result-type-unknown': { ...modern, defects: ['ignoresResultType'], outcome: 'accepts it' },

  'too-many-requests': { defects: ['retriesAtOnce'], outcome: 'breaks the rule' },
  'too-many-requests-date': { defects: ['retriesAtOnce'], outcome: 'breaks the rule' },
  unavailable: { ...modern, defects: ['retriesAtOnce'], outcome: 'breaks the rule' },
  'unavailable-date': { ...modern, defects: ['retriesAtOnce'], outcome: 'breaks the rule' },
  'retry-after-nonsense': { defects: ['crashes'], outcome: 'crashes' },
  'server-error': { defects: ['hangs'], outcome: 'hangs' },
  'credential-revoked': { defects: ['hammers'], outcome: 'breaks the rule' },

  'pages-of-one': { defects: ['firstPageOnly'], outcome: 'breaks the rule' },
  'page-empty': { ...modern, defects: ['emptyIsEnd'], outcome: 'breaks the rule' },
  'cursor-expired': { defects: ['crashes'], outcome: 'crashes' },
  'pages-without-end': { defects: ['noPageLimit'], outcome: 'breaks the rule' },

  'cache-ttl-negative': { ...modern, defects: ['strictTtl'], outcome: 'fails in words' },
  'cache-ttl-missing': { ...modern, defects: ['needsTtl'], outcome: 'fails in words' },
  'cache-ttl-short': { ...modern, defects: ['polls'], outcome: 'breaks the rule' },

  'listen-refused': { ...modern, defects: ['needsSubscription'], outcome: 'fails in words' },
  'listen-narrower': { ...modern, defects: ['needsSubscription'], outcome: 'fails in words' },
  'listen-ends': { ...modern, defects: ['relistens'], outcome: 'breaks the rule' },
  'listen-cut': { ...modern, defects: ['relistens'], outcome: 'breaks the rule' },
  'listen-foreign': { ...modern, defects: ['strictListening'], outcome: 'crashes' },
  'listen-unacknowledged': { ...modern, defects: ['strictListening'], outcome: 'crashes' },

  'list-changed': { defects: ['strictNotifications'], outcome: 'fails in words' },
  'resource-updated': { defects: ['strictNotifications'], outcome: 'fails in words' },
  'notification-unknown': { ...modern, defects: ['strictNotifications'], outcome: 'fails in words' },
  'log-messages': { defects: ['strictNotifications'], outcome: 'fails in words' },
  'progress-without-total': { defects: ['needsTotal'], outcome: 'fails in words' },
  'progress-with-total': { ...modern, defects: ['waitsForTotal'], outcome: 'hangs' },
  'progress-unknown-token': { defects: ['looksUpProgress'], outcome: 'crashes' },
  'progress-backwards': { ...modern, defects: ['strictProgress'], outcome: 'crashes' },
  'cancel-unknown': { defects: ['strictNotifications'], outcome: 'fails in words' },

  'ping-during-call': { defects: ['ignoresRequests'], outcome: 'breaks the rule' },
  'two-pings': { defects: ['answersFirst'], outcome: 'breaks the rule' },
  'request-unknown': { defects: ['answersAll'], outcome: 'accepts it' },
  'ping-cancelled': { defects: ['strictNotifications'], outcome: 'fails in words' },
  sampling: { capabilities: ABLE, defects: ['ignoresRequests'], outcome: 'breaks the rule' },
  elicitation: { capabilities: ABLE, defects: ['ignoresRequests'], outcome: 'breaks the rule' },
  roots: { capabilities: ABLE, defects: ['ignoresRequests'], outcome: 'breaks the rule' },
  'sampling-and-elicitation': { capabilities: ABLE, defects: ['answersFirst'], outcome: 'breaks the rule' },
  'sampling-undeclared': { defects: ['answersAll'], outcome: 'accepts it' },
  'elicitation-undeclared': { defects: ['answersAll'], outcome: 'accepts it' },
  'roots-undeclared': { defects: ['answersAll'], outcome: 'accepts it' },

  'input-required': { ...modern, capabilities: ABLE, defects: ['neverAnswers'], outcome: 'breaks the rule' },
  'input-required-twice': { ...modern, capabilities: ABLE, defects: ['keepsFirstState'], outcome: 'breaks the rule' },
  'input-required-stateless': { ...modern, capabilities: ABLE, defects: ['inventsState'], outcome: 'breaks the rule' },
  'input-undeclared': { ...modern, defects: ['answersAll'], outcome: 'accepts it' },

  'content-every-type': { defects: ['textOnly'], outcome: 'fails in words' },
  'content-empty': { ...modern, defects: ['needsContent'], outcome: 'fails in words' },
  'structured-without-schema': { defects: ['needsSchema'], outcome: 'fails in words' },
  'meta-everywhere': { ...modern, defects: ['strictMeta'], outcome: 'fails in words' },
  'fields-unknown': { defects: ['strictFields'], outcome: 'fails in words' },
  'tool-error': { defects: ['errorEnds'], outcome: 'fails in words' },
  'text-of-a-megabyte': { ...modern, defects: ['smallBuffer'], outcome: 'fails in words' },
  'content-unknown-type': { defects: ['anyContent'], outcome: 'accepts it' },
  'structured-against-schema': { defects: ['noValidation'], outcome: 'accepts it' },
  'tool-without-schema': { defects: ['unguarded'], outcome: 'crashes' },

  task: { ...modern, capabilities: TASKS, defects: ['pollsAtOnce'], outcome: 'breaks the rule' },
  'task-expired': { ...modern, capabilities: TASKS, defects: ['pollsForEver'], outcome: 'breaks the rule' },
  'task-backwards': { ...modern, capabilities: TASKS, defects: ['pollsAgain'], outcome: 'breaks the rule' },

  'skill-digest-wrong': { ...modern, capabilities: SKILLS, defects: ['anyDigest'], outcome: 'accepts it' },
  'skill-size-wrong': { ...modern, capabilities: SKILLS, defects: ['anySize'], outcome: 'accepts it' },
  'skill-front-matter-wrong': { ...modern, capabilities: SKILLS, defects: ['anyFrontMatter'], outcome: 'accepts it' },
  'skill-prefetch-trap': { ...modern, capabilities: SKILLS, defects: ['readsAhead'], outcome: 'breaks the rule' },
  'skill-path-outside': { ...modern, capabilities: SKILLS, defects: ['readsAhead', 'anyPath'], outcome: 'accepts it' },

  'redirect-307': { defects: ['followsAsGet'], outcome: 'breaks the rule' },
  'redirect-308': { ...modern, defects: ['followsAsGet'], outcome: 'breaks the rule' },
  'redirect-other-origin': { defects: ['followsWithCredential'], outcome: 'leaks its credential' }
}

/** Of `grade --authorization`: the defect by which each profile and rule catches a client. */
export const CAUGHT: Readonly<Record<string, AuthorizationDefect>> = {
  'iss-wrong': 'anyIssuer',
  'iss-missing': 'needsNoIssuer',
  'iss-normalized': 'looseIssuer',
  'iss-wrong-error': 'printsErrors',
  'metadata-issuer-other': 'anyMetadata',
  'resource-other': 'anyResource',
  'pkce-unsupported': 'noPkceCheck',
  'challenge-bare': 'noWellKnown',
  'metadata-openid': 'noOpenId',
  'scope-step-up': 'noStepUp',
  'scope-step-up-endless': 'endlessStepUp',
  'token-expired': 'refreshWithoutResource',
  'refresh-rotated': 'reusesRefresh',
  'authorization-server-changed': 'reusesRegistration',
  'token-redirected': 'followsRedirects',
  'authorization-names-resource': 'noResource',
  'token-names-resource': 'noResource',
  'pkce-challenge': 'noChallenge',
  'pkce-verifier': 'shortVerifier',
  'state-sent': 'noState',
  'redirect-safe': 'plainRedirect',
  'scope-of-challenge': 'noScope',
  'application-type': 'noApplicationType',
  'refresh-registered': 'noRefreshType'
}
