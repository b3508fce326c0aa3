// The scenarios of the official suite in which it plays the server, and what `grade` looks at for the same.

/** Extensions of authorization are left out, and what only 2025-03-26 has. */
export const LEFT_OUT = /^auth\/(?:client-credentials-|enterprise-|dpop|wif-|2025-03-26-)/

/** Python 2.3 has no skills. */
const SKILLS = { revisions: ['2026-07-28'], clients: ['typescript-2'] }
const BOTH = ['2025-11-25', '2026-07-28']
const NEW = ['2026-07-28']

/**
 * `checks`: rules and profiles of `grade` that are about the same, for `auth/` those with --authorization; `none`: why there are none;
 * `clients`: who can play it, all when absent.
 */
export const SCENARIOS = {
  initialize: { revisions: ['2025-11-25'], checks: ['initialize-incomplete', 'before-handshake', 'initialized-missing'] },
  tools_call: { revisions: ['2025-11-25', '2026-07-28'], checks: ['message-malformed', 'method-unknown', 'accept-incomplete', 'content-type-wrong'] },
  'sse-retry': { revisions: ['2025-11-25'], checks: ['stream-closed-with-retry'] },
  'elicitation-sep1034-client-defaults': { revisions: ['2025-11-25'], checks: ['elicitation'] },
  'request-metadata': { revisions: ['2026-07-28'], checks: ['meta-incomplete', 'client-info-missing', 'protocol-version-missing', 'protocol-version-mismatch'] },
  'sep-2322-client-request-state': {
    revisions: ['2026-07-28'],
    checks: ['input-required', 'input-required-twice', 'input-required-stateless']
  },
  'http-standard-headers': { revisions: ['2026-07-28'], checks: ['mcp-method-missing', 'mcp-method-mismatch', 'mcp-name-missing', 'mcp-name-mismatch'] },
  'sep-2640-client-no-prefetch': { ...SKILLS, checks: ['skill-prefetch-trap'] },
  'sep-2640-client-verify-digest': { ...SKILLS, checks: ['skill-digest-wrong'] },
  'sep-2640-client-verify-size': { ...SKILLS, checks: ['skill-size-wrong'] },
  'sep-2640-client-verify-frontmatter': { ...SKILLS, checks: ['skill-front-matter-wrong'] },
  'http-custom-headers': { revisions: ['2026-07-28'], none: 'no tool of the test server mirrors arguments into headers; `observe` watches it (`mcp-param-wrong`) on servers that have such tools' },
  'http-invalid-tool-headers': { revisions: ['2026-07-28'], none: 'no profile declares invalid header names in a tool' },
  'json-schema-ref-no-deref': { revisions: ['2026-07-28'], none: 'no profile has a schema with a reference to the network' },
  'json-schema-2020-12-preservation': { revisions: ['2025-11-25', '2026-07-28'], none: 'what a client makes of a schema is not on the wire, unless an application sends it back as the suite asks it to' },
  'auth/metadata-default': { revisions: BOTH, checks: ['authorization-names-resource', 'token-names-resource', 'pkce-challenge', 'pkce-verifier'] },
  'auth/metadata-var1': { revisions: BOTH, checks: ['challenge-bare'] },
  'auth/metadata-var2': { revisions: BOTH, checks: ['metadata-openid'] },
  'auth/metadata-var3': { revisions: BOTH, checks: ['metadata-openid'] },
  'auth/basic-cimd': { revisions: BOTH, none: 'the authorization server of grade registers by request' },
  'auth/scope-from-www-authenticate': { revisions: BOTH, checks: ['scope-of-challenge'] },
  'auth/scope-from-scopes-supported': { revisions: BOTH, none: 'its challenges name a scope' },
  'auth/scope-omitted-when-undefined': { revisions: BOTH, none: 'its challenges name a scope' },
  'auth/scope-step-up': { revisions: BOTH, checks: ['scope-step-up'] },
  'auth/scope-retry-limit': { revisions: BOTH, checks: ['scope-step-up-endless'] },
  'auth/token-endpoint-auth-basic': { revisions: BOTH, none: 'its clients are public' },
  'auth/token-endpoint-auth-post': { revisions: BOTH, none: 'its clients are public' },
  'auth/token-endpoint-auth-none': { revisions: BOTH, checks: ['pkce-verifier', 'token-names-resource'] },
  'auth/pre-registration': { revisions: BOTH, none: 'it registers by request' },
  'auth/resource-mismatch': { revisions: NEW, checks: ['resource-other'] },
  'auth/offline-access-scope': { revisions: NEW, none: 'its metadata has no offline_access' },
  'auth/offline-access-not-supported': { revisions: NEW, checks: ['scope-of-challenge'] },
  'auth/authorization-server-migration': { revisions: NEW, checks: ['authorization-server-changed'] },
  'auth/iss-supported': { revisions: NEW, checks: ['token-names-resource'] },
  'auth/iss-not-advertised': { revisions: NEW, none: 'its metadata says that responses name their issuer' },
  'auth/iss-supported-missing': { revisions: NEW, checks: ['iss-missing'] },
  'auth/iss-wrong-issuer': { revisions: NEW, checks: ['iss-wrong'] },
  'auth/iss-unexpected': { revisions: NEW, none: 'its metadata says that responses name their issuer' },
  'auth/iss-normalized': { revisions: NEW, checks: ['iss-normalized'] },
  'auth/metadata-issuer-mismatch': { revisions: NEW, checks: ['metadata-issuer-other'] }
}

/** Where the two disagree, and why: by client and scenario. The test fails for one without a reason, and for a reason that is not needed. */
export const REASONS = {
  'python-legacy elicitation-sep1034-client-defaults':
    'The suite asks that the client fills in the defaults of a form that was accepted empty. The specification says that clients which support defaults SHOULD pre-populate fields; this client leaves it to the application. ' +
    '`grade` asks that the answer fits the form, in which only the name is required.',
  'typescript-1 auth/scope-step-up':
    'With a refresh token this client answers the 403 by a refresh, which widens no scope, and gives up; in the scenario of the suite it asks for authorization again.',
  'typescript-2 auth/scope-retry-limit':
    'Whoever drives this client asks for authorization up to four times. The suite allows fewer, `grade` five: the specification asks for a limit and names no number.',
  'typescript-2-legacy auth/scope-retry-limit':
    'Whoever drives this client asks for authorization up to four times. The suite allows fewer, `grade` five: the specification asks for a limit and names no number.'
}
