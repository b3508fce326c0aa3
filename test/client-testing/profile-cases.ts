/** For each profile: the capabilities of the client, and the defects by which it is caught. */
import type { Outcome, Profile } from '../../src/client-testing/profiles/profile.js'
import type { Defect } from './client/defects.js'

export interface ProfileCase {
  capabilities?: Record<string, unknown>
  defects: readonly Defect[]
  /** How the client with these defects is judged. */
  outcome: Outcome
}

export const ABLE = { sampling: {}, elicitation: {}, roots: {} }
const extension = (name: string) => ({ extensions: { [`io.modelcontextprotocol/${name}`]: {} } })
const CAPABILITIES: Readonly<Record<string, Record<string, unknown>>> = {
  'input rounds': ABLE, tasks: extension('tasks'), skills: extension('skills')
}

const wrong = (...defects: Defect[]): ProfileCase => ({ defects, outcome: 'breaks the rule' })
const able = (...defects: Defect[]): ProfileCase => ({ ...wrong(...defects), capabilities: ABLE })
const crashes = (...defects: Defect[]): ProfileCase => ({ defects: [...defects, 'crashes'], outcome: 'crashes' })
const hangs: ProfileCase = { defects: ['hangs'], outcome: 'hangs' }
const strict: ProfileCase = { defects: ['strict'], outcome: 'fails in words' }
const lenient = (...defects: Defect[]): ProfileCase => ({ defects: ['lenient', ...defects], outcome: 'accepts it' })

/** Those that a client is caught by in another way than by being too strict or too lenient. */
const OTHERS: Readonly<Record<string, ProfileCase>> = {
  'reply-stream': { defects: ['noStream'], outcome: 'fails in words' },
  'reply-json': { defects: ['noJson'], outcome: 'fails in words' },
  'slow-first-byte': crashes('impatient'),

  'stream-cut-resumable': wrong('resendsCutRequest'),
  'stream-closed-with-retry': wrong('ignoresRetry'),
  'stream-cut': hangs,
  'get-ends-at-once': wrong('reopensAtOnce'),

  'result-missing': crashes(),
  'result-no-object': crashes(),
  'error-malformed': crashes(),
  'response-null': crashes(),
  'json-half': crashes(),
  'html-page': hangs,
  'empty-body': hangs,
  'accepted-request': hangs,
  'event-not-json': crashes(),
  'stream-without-response': hangs,

  'session-gone': { defects: ['neverRenews'], outcome: 'fails in words' },
  'revision-older': wrong('keepsVersion'),
  'version-unsupported': wrong('neverChooses'),
  'server-of-before': wrong('neverChooses'),
  'header-mismatch': crashes(),

  'too-many-requests': wrong('retriesAtOnce'),
  'too-many-requests-date': wrong('retriesAtOnce'),
  unavailable: wrong('retriesAtOnce'),
  'unavailable-date': wrong('retriesAtOnce'),
  'retry-after-nonsense': crashes('strict'),
  'server-error': hangs,
  'credential-revoked': wrong('hammers'),

  'pages-of-one': wrong('firstPageOnly'),
  'page-empty': wrong('emptyIsEnd'),
  'cursor-expired': crashes(),
  'pages-without-end': wrong('noPageLimit'),

  // A client has to go on.
  'cache-ttl-negative': strict,
  'cache-ttl-missing': strict,
  'cache-ttl-short': wrong('polls'),
  'listen-ends': wrong('relistens'),
  'listen-cut': wrong('relistens'),
  'listen-foreign': strict,
  'listen-unacknowledged': strict,
  'progress-unknown-token': crashes('strict'),
  'progress-backwards': crashes('strict'),

  'ping-during-call': wrong('ignoresRequests'),
  'two-pings': wrong('answersFirst'),
  'request-unknown': lenient(),
  sampling: able('ignoresRequests'),
  elicitation: able('ignoresRequests'),
  roots: able('ignoresRequests'),
  'sampling-and-elicitation': able('answersFirst'),

  'input-required': wrong('neverAnswers'),
  'input-required-twice': wrong('keepsFirstState'),
  'input-required-stateless': wrong('inventsState'),
  'input-undeclared': { ...lenient(), capabilities: {} },
  'tool-without-schema': crashes('strict'),

  task: wrong('pollsAtOnce'),
  'task-expired': wrong('pollsForEver'),
  'task-backwards': wrong('pollsAgain'),
  'skill-prefetch-trap': wrong('readsAhead'),
  'skill-path-outside': lenient('readsAhead'),

  'redirect-307': wrong('followsAsGet'),
  'redirect-308': wrong('followsAsGet'),
  'redirect-other-origin': { defects: ['followsWithCredential'], outcome: 'leaks its credential' }
}

export const caseOf = ({ id, family, kind }: Profile): ProfileCase =>
  ({ capabilities: CAPABILITIES[family] ?? {}, ...OTHERS[id] ?? (kind === 'legal' ? strict : lenient()) })

/** Of `grade --authorization`: the defect by which each profile and rule catches a client. */
export const CAUGHT = {
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
} as const

export type AuthorizationDefect = typeof CAUGHT[keyof typeof CAUGHT]
