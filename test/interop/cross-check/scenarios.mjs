// The scenarios of the official suite in which it plays the server, and what `grade` looks at for the same.

/** Authorization is left out: the workbench gives clients a token, and plays no authorization server. */
export const LEFT_OUT = /^auth\//

/** Python 2.3 has no skills. */
const SKILLS = { revisions: ['2026-07-28'], clients: ['typescript-2'] }

/** `checks`: rules and profiles of `grade` that are about the same; `none`: why there are none; `clients`: who can play it, all when absent. */
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
  'json-schema-2020-12-preservation': { revisions: ['2025-11-25', '2026-07-28'], none: 'what a client makes of a schema is not on the wire, unless an application sends it back as the suite asks it to' }
}

/** Where the two disagree, and why: by client and scenario. The test fails for one without a reason, and for a reason that is not needed. */
export const REASONS = {
  'python-legacy elicitation-sep1034-client-defaults':
    'The suite asks that the client fills in the defaults of a form that was accepted empty. The specification says that clients which support defaults SHOULD pre-populate fields; this client leaves it to the application. ' +
    '`grade` asks only that the request is answered by a result.'
}
