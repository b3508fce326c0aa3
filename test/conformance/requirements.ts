/**
 * What the specification asks of a server, clause by clause, in our words: each is cited by the tests that prove it, with
 * `meets`. The latest revision of each era is the measure; `older` rows are about revisions before it.
 */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

export interface Requirement {
  id: string
  level: Level
  /** Page and anchor in 2025-11-25, or in the older revision that `says` names. */
  legacy?: string
  /** Page and anchor in 2026-07-28. */
  modern?: string
  says: string
}

const TABLE: ReadonlyArray<readonly [id: string, level: Level, legacy: string | undefined, modern: string | undefined, says: string]> = [
  // Messages
  ['json-rpc', 'MUST', 'basic#messages', 'basic#messages', 'messages are JSON-RPC 2.0'],
  ['request-id-type', 'MUST', 'basic#requests', 'basic#requests', 'a request has a string or an integer as its id, never null'],
  ['response-same-id', 'MUST', 'basic#responses', 'basic#result-responses', 'a response has the id of its request, with its type'],
  ['error-shape', 'MUST', 'basic#error-responses', 'basic#error-responses', 'an error has an integer code and a message'],
  ['notification-no-response', 'MUST NOT', 'basic#notifications', 'basic#notifications', 'a notification is not answered'],
  ['result-type', 'MUST', undefined, 'basic#resulttype', 'each result says what type it is'],
  ['result-type-absent', 'MUST NOT', 'basic#result-responses', undefined, 'a legacy result knows no result type'],
  ['codes-reserved', 'MUST NOT', undefined, 'basic#error-codes', 'codes between -32000 and -32099 are those that the specification defines, and none of before'],
  ['codes-own', 'SHOULD', undefined, 'basic#error-codes', 'codes of our own lie outside the reserved range'],
  ['utf-8', 'MUST', 'basic/transports', 'basic/transports', 'messages are UTF-8'],
  ['schema-2020-12', 'MUST', 'basic#json-schema-usage', 'basic#json-schema-usage', 'schemas without a dialect are read as 2020-12'],
  ['schema-no-network', 'MUST NOT', undefined, 'basic#ref-resolution', 'a reference in a schema is never fetched from the network'],

  // Handshake and versions
  ['initialize-first', 'MUST', 'basic/lifecycle#initialization', undefined, 'nothing but the handshake is served before it'],
  ['initialize-answer', 'MUST', 'basic/lifecycle#initialization', undefined, 'the handshake is answered with version, capabilities and identity'],
  ['version-same', 'MUST', 'basic/lifecycle#version-negotiation', undefined, 'a version that is served is agreed to'],
  ['version-other', 'MUST', 'basic/lifecycle#version-negotiation', undefined, 'for another one a version that is served is offered, the latest'],
  ['version-header-checked', 'MUST', 'basic/transports#protocol-version-header', undefined, 'an unknown version in the header is refused with 400'],
  ['version-header-assumed', 'SHOULD', 'basic/transports#protocol-version-header', undefined, 'without header and session 2025-03-26 is assumed'],
  ['capabilities-kept', 'MUST', 'basic/lifecycle#operation', 'basic#meta', 'only what was declared is used, by both sides'],
  ['discover', 'MUST', undefined, 'basic/versioning#protocol-version-negotiation', 'server/discover says which versions are served'],
  ['version-unsupported', 'MUST', undefined, 'basic/versioning#protocol-version-negotiation', 'another version is refused with 400, -32022 and those that are served'],
  ['version-named-to-legacy', 'SHOULD', undefined, 'basic/versioning#backward-compatibility-with-initialization-based-versions', 'a server without the handshake names the versions it serves to who tries it'],
  ['extension-fallback', 'MUST', undefined, 'basic/versioning#extension-negotiation', 'without the client\'s extension the core protocol is spoken, or the request refused'],
  ['meta-required', 'MUST', undefined, 'basic#meta', 'a request without its metadata is refused with 400 and -32602'],
  ['capability-missing', 'MUST', undefined, 'basic#meta', 'a capability that is needed and not declared is named in -32021, with 400'],
  ['server-info', 'SHOULD', undefined, 'basic#meta', 'each result says which server made it'],
  ['stateless', 'MUST NOT', undefined, 'basic#statelessness', 'nothing is taken from earlier requests of the connection'],
  ['state-by-handle', 'MUST', undefined, 'basic#statelessness', 'state over several requests goes by a handle that each request names'],

  // Transport
  ['endpoint', 'MUST', 'basic/transports#streamable-http', 'basic/transports/streamable-http', 'one path takes all messages by POST'],
  ['origin', 'MUST', 'basic/transports#security-warning', 'basic/transports/streamable-http#security-endpoint', 'a foreign origin is refused with 403'],
  ['loopback', 'SHOULD', 'basic/transports#security-warning', 'basic/transports/streamable-http#security-endpoint', 'a local server listens on loopback only'],
  ['authentication', 'SHOULD', 'basic/transports#security-warning', 'basic/transports/streamable-http#security-endpoint', 'each connection is authenticated'],
  ['accepted', 'MUST', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#sending-messages', 'a notification that is taken is answered 202, without a body'],
  ['not-accepted', 'MUST', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#sending-messages', 'one that is not taken gets an HTTP error'],
  ['reply-type', 'MUST', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#sending-messages', 'a request is answered as JSON or as an event stream'],
  ['no-responses-in', 'MUST NOT', undefined, 'basic/transports/streamable-http#sending-messages', 'a client\'s response is refused'],
  ['get-or-405', 'MUST', 'basic/transports#listening-for-messages-from-the-server', 'basic/transports/streamable-http#earlier-streamable-http-revisions', 'GET opens a stream, or is answered 405'],
  ['unbuffered', 'SHOULD', undefined, 'basic/transports/streamable-http#receiving-messages', 'proxies are told not to buffer a stream'],
  ['stream-relates', 'MUST', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#receiving-messages', 'what is said on a request\'s stream is about that request'],
  ['stream-ends', 'SHOULD', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#receiving-messages', 'the response ends the stream'],
  ['no-requests-out', 'MUST NOT', undefined, 'basic/transports/streamable-http#receiving-messages', 'no request of the server is on a stream'],
  ['version-header-agrees', 'MUST', undefined, 'basic/transports/streamable-http#protocol-version-header', 'the version in header and metadata agree, or 400 with -32020'],
  ['method-unknown', 'MUST', undefined, 'basic/transports/streamable-http#protocol-version-header', 'an unknown method is answered 404 with -32601'],
  ['headers-agree', 'MUST', undefined, 'basic/transports/streamable-http#server-validation', 'headers that mirror the body agree with it, or 400 with -32020'],
  ['headers-decoded', 'MUST', undefined, 'basic/transports/streamable-http#value-encoding', 'an encoded header is decoded before it is compared'],
  ['headers-characters', 'MUST', undefined, 'basic/transports/streamable-http#server-behavior-for-custom-headers', 'a header with characters that it may not have is refused'],
  ['headers-numbers', 'SHOULD', undefined, 'basic/transports/streamable-http#server-validation', 'numbers are compared as numbers'],
  ['headers-case', 'MUST', undefined, 'basic/transports/streamable-http#case-sensitivity', 'names of headers are compared without case'],
  ['disconnect-cancels', 'MUST', undefined, 'basic/patterns/cancellation#transport-specific-cancellation', 'a client that goes away has cancelled its request'],

  // Sessions, streams that last
  ['session-id-secure', 'SHOULD', 'basic/transports#session-management', undefined, 'a session id cannot be guessed or made up'],
  ['session-id-ascii', 'MUST', 'basic/transports#session-management', undefined, 'it consists of visible ASCII'],
  ['session-required', 'SHOULD', 'basic/transports#session-management', undefined, 'a request without it is refused with 400'],
  ['session-ended', 'MUST', 'basic/transports#session-management', undefined, 'one that is over is answered 404'],
  ['session-delete', 'MAY', 'basic/transports#session-management', undefined, 'a client ends its session by DELETE'],
  ['primed', 'SHOULD', 'basic/transports#sending-messages-to-the-server', undefined, 'a stream begins with an event that gives an id to come back with'],
  ['retry-told', 'SHOULD', 'basic/transports#sending-messages-to-the-server', undefined, 'who is sent away is told when to come back'],
  ['response-eventually', 'SHOULD', 'basic/transports#sending-messages-to-the-server', undefined, 'the response comes in the end'],
  ['disconnect-is-no-cancel', 'SHOULD NOT', 'basic/transports#sending-messages-to-the-server', undefined, 'a lost connection does not cancel a request whose stream can be resumed'],
  ['no-response-on-get', 'MUST NOT', 'basic/transports#listening-for-messages-from-the-server', undefined, 'a stream opened by GET carries no response but that of a resumed one'],
  ['one-stream', 'MUST', 'basic/transports#multiple-connections', undefined, 'a message goes to one stream'],
  ['event-id-unique', 'MUST', 'basic/transports#resumability-and-redelivery', undefined, 'event ids are unique over all streams of a session'],
  ['event-id-names-stream', 'SHOULD', 'basic/transports#resumability-and-redelivery', undefined, 'an event id names its stream'],
  ['replay-own-stream', 'MUST NOT', 'basic/transports#resumability-and-redelivery', undefined, 'nothing of another stream is replayed'],

  // Cancellation, progress, ping
  ['cancelled-stops', 'SHOULD', 'basic/utilities/cancellation#behavior-requirements', 'basic/patterns/cancellation#behavior-requirements', 'work that is cancelled stops, and is not answered'],
  ['cancelled-ignored', 'SHOULD', 'basic/utilities/cancellation#error-handling', undefined, 'a cancellation that makes no sense is ignored'],
  ['cancelled-teardown', 'MUST', undefined, 'basic/patterns/cancellation', 'a subscription that the server ends is cancelled by a notification'],
  ['ping-empty', 'MUST', 'basic/utilities/ping#behavior-requirements', undefined, 'a ping is answered with an empty result'],
  ['progress-token', 'MUST', 'basic/utilities/progress#progress-flow', 'basic/patterns/progress#progress-flow', 'a progress token is a string or an integer'],
  ['progress-asked', 'MUST', 'basic/utilities/progress#behavior-requirements', 'basic/patterns/progress#behavior-requirements', 'progress is told under the token of the request, and only where there is one'],
  ['progress-grows', 'MUST', 'basic/utilities/progress#progress-flow', 'basic/patterns/progress#progress-flow', 'progress grows from one step to the next'],
  ['progress-over', 'MUST', 'basic/utilities/progress#implementation-notes', 'basic/patterns/progress#implementation-notes', 'no progress comes after the response'],

  // Subscriptions, caching, rounds
  ['listen-acknowledged', 'MUST', undefined, 'basic/patterns/subscriptions#acknowledgment', 'the acknowledgment comes first, with what will be told'],
  ['listen-only-asked', 'MUST NOT', undefined, 'basic/patterns/subscriptions#opening-a-stream', 'nothing is told that was not asked for'],
  ['listen-stamped', 'MUST', undefined, 'basic/patterns/subscriptions#receiving-notifications', 'each message carries the id of the subscription'],
  ['listen-graceful', 'SHOULD', undefined, 'basic/patterns/subscriptions#graceful-closure', 'a subscription that the server ends is answered'],
  ['cache-ttl', 'MUST', undefined, 'server/utilities/caching#time-to-live-ttl-field', 'how long a result may be kept is said, and never negative'],
  ['cache-scope', 'MUST', undefined, 'server/utilities/caching#interaction-with-pagination', 'all pages of a list have the same scope'],
  ['mrtr-only', 'MUST', undefined, 'basic/patterns/mrtr', 'the client is asked by a result, and by nothing else'],
  ['mrtr-state-protected', 'MUST', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a request state that was altered is refused'],
  ['mrtr-state-bound', 'SHOULD', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a request state belongs to a caller and a request, and expires'],
  ['mrtr-something', 'MUST', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'such a result asks something or gives a state'],
  ['mrtr-capable', 'MUST NOT', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a client is not asked what it did not declare'],
  ['mrtr-extra', 'SHOULD', undefined, 'basic/patterns/mrtr#error-handling', 'answers to what was not asked are ignored'],
  ['mrtr-again', 'SHOULD', undefined, 'basic/patterns/mrtr#error-handling', 'what is missing is asked again'],

  // Tools
  ['tools-declared', 'MUST', 'server/tools#capabilities', 'server/tools#capabilities', 'tools are declared'],
  ['tools-ordered', 'SHOULD', undefined, 'server/tools#capabilities', 'tools are listed in the same order each time'],
  ['tools-changed', 'SHOULD', 'server/tools#list-changed-notification', 'server/tools#list-changed-notification', 'whoever listens is told when the list changes'],
  ['tool-names', 'SHOULD', 'server/tools#tool-names', 'server/tools#tool-names', 'names have 1 to 128 letters, digits, underscores, hyphens or dots, and are unique'],
  ['tool-schema', 'MUST', 'server/tools#tool', 'server/tools#tool', 'the input schema is an object'],
  ['tool-output', 'MUST', 'server/tools#output-schema', 'server/tools#output-schema', 'a structured result fits the output schema'],
  ['tool-both-channels', 'SHOULD', 'server/tools#structured-content', 'server/tools#structured-content', 'a structured result is there as text too'],
  ['tool-unknown', 'SHOULD', 'server/tools#error-handling', 'server/tools#error-handling', 'an unknown tool is an error of the protocol'],
  ['tool-input-checked', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'arguments are checked; what is wrong with them is a result that says so'],
  ['tool-limits', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'calls are limited'],
  ['tool-access', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'access is controlled'],
  ['mirrored-valid', 'MUST', undefined, 'server/tools#x-mcp-header', 'annotations of mirrored parameters follow their rules'],

  // Resources
  ['resources-declared', 'MUST', 'server/resources#capabilities', 'server/resources#capabilities', 'resources are declared'],
  ['resources-changed', 'SHOULD', 'server/resources#list-changed-notification', 'server/resources#list-changed-notification', 'whoever listens is told when the list changes'],
  ['resource-updated', 'SHOULD', 'server/resources#subscriptions', 'server/resources#subscriptions', 'whoever watches a resource is told when it changes'],
  ['resource-unknown', 'SHOULD', 'server/resources#error-handling', undefined, 'an unknown resource is answered -32002'],
  ['resource-unknown-params', 'MUST', undefined, 'server/resources#error-handling', 'an unknown resource is answered -32602, and never with empty contents'],
  ['resource-uris', 'MUST', 'server/resources#security-considerations', 'server/resources#security-considerations', 'URIs are checked'],
  ['resource-scheme', 'MUST', 'server/resources#custom-uri-schemes', 'server/resources#custom-uri-schemes', 'the scheme of our own follows RFC 3986'],
  ['resource-access', 'SHOULD', 'server/resources#security-considerations', 'server/resources#security-considerations', 'permission is checked before anything else'],
  ['resource-binary', 'MUST', 'server/resources#security-considerations', 'server/resources#security-considerations', 'binary contents are base64'],

  // Prompts, completion, logging, pagination
  ['prompts-declared', 'MUST', 'server/prompts#capabilities', 'server/prompts#capabilities', 'prompts are declared where there are any'],
  ['prompts-changed', 'SHOULD', 'server/prompts#list-changed-notification', 'server/prompts#list-changed-notification', 'whoever listens is told when the list changes'],
  ['prompt-errors', 'SHOULD', 'server/prompts#error-handling', 'server/prompts#error-handling', 'an unknown prompt and wrong arguments are answered -32602'],
  ['completions-declared', 'MUST', 'server/utilities/completion#capabilities', 'server/utilities/completion#capabilities', 'completions are declared, in the revisions that declare them'],
  ['completion-errors', 'SHOULD', 'server/utilities/completion#error-handling', 'server/utilities/completion#error-handling', 'an unknown reference is answered -32602'],
  ['completion-most', 'MUST', 'server/utilities/completion#completion-results', 'server/utilities/completion#completion-results', 'at most 100 values are sent'],
  ['completion-checked', 'MUST', 'server/utilities/completion#security', 'server/utilities/completion#security', 'what is to be completed is checked'],
  ['completion-access', 'MUST', 'server/utilities/completion#security', 'server/utilities/completion#security', 'nothing is suggested that the caller may not see'],
  ['completion-limited', 'SHOULD', 'server/utilities/completion#implementation-considerations', 'server/utilities/completion#implementation-considerations', 'requests to complete are limited as calls are'],
  ['logging-declared', 'MUST', 'server/utilities/logging#capabilities', 'server/utilities/logging#capabilities', 'a server that logs to clients declares it'],
  ['logging-level', 'SHOULD', 'server/utilities/logging#setting-log-level', undefined, 'only what is as severe as was asked for is sent'],
  ['logging-level-invalid', 'SHOULD', 'server/utilities/logging#error-handling', 'server/utilities/logging#error-handling', 'an unknown level is answered -32602'],
  ['logging-asked', 'MUST NOT', undefined, 'server/utilities/logging#per-request-log-level', 'nothing is logged to a request that does not ask for it'],
  ['cursor-invalid', 'SHOULD', 'server/utilities/pagination#error-handling', 'server/utilities/pagination#error-handling', 'a cursor that is none is answered -32602'],
  ['cursor-stable', 'SHOULD', 'server/utilities/pagination#implementation-guidelines', 'server/utilities/pagination#implementation-guidelines', 'pages hold together: nothing is there twice, nothing is left out'],

  // Questions to a legacy client
  ['question-relates', 'SHOULD', 'basic/transports#sending-messages-to-the-server', undefined, 'a question goes out on the stream of the request that it is about'],
  ['question-capable', 'MUST', 'client/elicitation#capabilities', undefined, 'a client is asked only what it declared to answer'],
  ['question-own-answer', 'MUST', 'basic#responses', undefined, 'an answer counts for the question that has its id, and for its session alone'],

  // The tasks extension
  ['task-undeclared', 'MUST NOT', undefined, 'seps/2663#capability-negotiation', 'a client that does not declare tasks gets none, and -32021 where it asks for one'],
  ['task-durable', 'MUST', undefined, 'seps/2663#task-creation', 'a task can be asked for as soon as it was handed out'],
  ['task-unknown', 'MUST', undefined, 'seps/2663#error-handling', 'an unknown task is answered -32602'],
  ['task-answers', 'SHOULD', undefined, 'seps/2663#task-update-requests', 'answers to what a task does not ask are ignored, and some of several are taken'],
  ['task-cancelled', 'MUST', undefined, 'seps/2663#task-cancellation', 'a cancellation is acknowledged, and reaches the work'],
  ['task-notified', 'MAY', undefined, 'seps/2663#task-status-notifications', 'each change is told to who listens, as tasks/get would tell it'],

  // Revisions before the latest of the legacy era
  ['batch-received', 'MUST', 'basic#batching', undefined, '2025-03-26: batches are taken'],
  ['batch-elsewhere', 'MUST NOT', 'basic/transports#sending-messages-to-the-server', 'basic/transports/streamable-http#sending-messages', 'in the other revisions a body is one message'],
  ['batch-no-initialize', 'MUST NOT', 'basic/lifecycle#initialization', undefined, '2025-03-26: the handshake is no part of a batch'],
  ['older-shapes', 'MUST', 'basic/lifecycle#version-negotiation', undefined, 'a result has the fields that its revision knows, and no others'],
  ['older-contents', 'MUST', 'server/tools#tool-result', 'server/tools#tool-result', 'contents are of a kind that the revision knows']
]

export const REQUIREMENTS: readonly Requirement[] = TABLE.map(([id, level, legacy, modern, says]) =>
  ({ id, level, says, ...(legacy !== undefined && { legacy }), ...(modern !== undefined && { modern }) }))

const known = new Set(REQUIREMENTS.map(({ id }) => id))

/** Cites what a test proves. */
export const meets = (...ids: readonly string[]): void => {
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Error(`No such requirement: ${unknown.join(', ')}`)
}
