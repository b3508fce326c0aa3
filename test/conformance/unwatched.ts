/** Sections of the specification that no requirement, rule or profile cites, and why: the first row that fits a section counts. */
export interface Unwatched {
  /** Fits `page#anchor`, or the page alone. */
  place: RegExp
  /** Fits the revision; every revision when absent. */
  revision?: RegExp
  reason: string
}

const OTHERS = 'It binds who writes a tool, a resource or a prompt. The engine passes content on as it is given, and the product has none of this kind.'
const PERSON = 'It is about what a client shows to a person or lets them decide, which is not on the wire.'
const ELSEWHERE = 'It introduces or repeats what other sections ask, which are cited.'
const ASKED = 'It binds who asks by this feature. The product asks nothing of clients; the engine passes on what a tool asks, and refuses it when the client did not declare the capability.'

export const UNWATCHED: readonly Unwatched[] = [
  { place: /^basic\/authorization/, reason: 'Authorization: what the product does is proved by the tests in test/oauth and test/auth; what a client does towards an authorization server does not pass this endpoint, and grade gives clients a token.' },
  { place: /^basic#auth$/, reason: 'Authorization: see the sections of its own pages.' },
  { place: /stdio/, reason: 'The product, the engine and the workbench speak Streamable HTTP only.' },
  { place: /custom-transports|http-with-sse|httpsse|^basic\/transports$/, reason: 'There are no other transports than Streamable HTTP here; clients of 2024-11-05 are served by it too.' },
  { place: /^basic\/utilities\/tasks/, reason: 'Tasks of 2025-11-25 were experimental and are not announced; those of SEP-2663 are among the requirements.' },
  { place: /user-interaction-model|model-preferences|model-hints|system-prompt|context-inclusion|sampling-parameters/, reason: PERSON },
  { place: /^client\/elicitation#(?:safe-url-handling|phishing|identifying-the-user|form-mode-security|requested-schema|security-considerations)/, reason: PERSON },
  { place: /^client\/elicitation/, reason: ASKED },
  { place: /^client\/sampling#(?:tool|parallel|messages|result-fields)/, reason: ASKED },
  { place: /^client\/(?:sampling|roots)#(?:error-handling|security|implementation)/, reason: `${PERSON} Profiles look at whether a request of the server is answered.` },
  { place: /^client\/(?:sampling|roots)/, reason: ASKED },
  { place: /^server\/prompts/, reason: OTHERS },
  { place: /^server\/resources#(?:https|file|reading-resources|git|common-uri-schemes|annotations)/, reason: OTHERS },
  { place: /^server\/tools#(?:resource-links|embedded-resources|input-required-tool-results|image|audio|structured)/, reason: OTHERS },
  { place: /^server\/utilities\/logging/, reason: 'The product logs nothing to clients; what a message of a tool holds is up to its author. That the level is obeyed is cited.' },
  { place: /^server\/utilities\/caching/, reason: 'What a client keeps shows only in what it does not ask for; that the server says how long is cited.' },
  { place: /^server\/utilities\/pagination/, reason: 'The size of a page is up to the server; that cursors are opaque is judged by cursor-invented.' },
  { place: /^server\/utilities\/completion$/, reason: ELSEWHERE },
  { place: /^server\/discover/, reason: 'When a client asks is its own choice; the answer is cited.' },
  { place: /ping#|cancellation#(?:timing|implementation|error|timeouts|cancellation-flow)|timeouts/, reason: 'Time limits and races are up to each side; that late and unknown messages are ignored is cited.' },
  { place: /progress/, reason: 'It permits; what progress has to be is cited.' },
  { place: /^basic#(?:icons|schema|composition|json-schema|implementation-requirements)/, reason: 'The product has no icons and no schemas from outside; what a client makes of them is not on this endpoint.' },
  { place: /schema-extension|custom-headers-from-tool-parameters/, reason: 'The rules for mirrored parameters are cited at server/tools and at the behaviour of clients (mcp-param-wrong).' },
  { place: /^basic\/patterns\/(?:mrtr|subscriptions)/, reason: 'It permits, or binds who asks; the flow of rounds and of subscriptions is cited.' },
  {
    place: new RegExp(`^(?:${[
      'deprecated', 'basic', 'basic#protocol-layers', 'basic/messages', 'basic/lifecycle#error-handling', 'basic/patterns(?:#request-and-response)?',
      'basic/transports#(?:messages|request-metadata)', 'basic/transports/streamable-http#(?:cancellation|backward-compatibility)', 'server/(?:resources|tools)',
      '(?:#implementation-guidelines)?'
    ].join('|')})$`),
    reason: ELSEWHERE
  }
]
