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
  ['response-fields', 'MUST', 'basic#responses', 'basic#result-responses', 'a response has the id of its request and either a result or an error'],
  ['notification-no-id', 'MUST NOT', 'basic#notifications', 'basic#notifications', 'a notification has no id'],
  ['notification-no-response', 'MUST NOT', 'basic#notifications', 'basic#notifications', 'a notification is not answered'],
  ['result-type', 'MUST', undefined, 'basic#resulttype', 'each result says what type it is'],
  ['result-type-absent', 'MUST NOT', 'basic#result-responses', undefined, 'a legacy result knows no result type'],
  ['codes-reserved', 'MUST NOT', undefined, 'basic#error-codes', 'codes between -32000 and -32099 are those that the specification defines, and none of before'],
  ['codes-own', 'SHOULD', undefined, 'basic#error-codes', 'codes of our own lie outside the reserved range'],
  ['utf-8', 'MUST', 'basic/transports', 'basic/transports', 'messages are UTF-8'],
  ['schema-2020-12', 'MUST', 'basic#json-schema-usage', 'basic#json-schema-usage', 'schemas without a dialect are read as 2020-12'],
  ['schema-no-network', 'MUST NOT', undefined, 'basic#ref-resolution', 'a reference in a schema is never fetched from the network'],
  ['schema-dialect', 'MUST', 'basic#implementation-requirements', 'basic#implementation-requirements', 'a schema of another dialect is refused by an error that names it'],
  ['schemas-valid', 'MUST', 'basic#schema-validation', 'basic#schema-validation', 'the schemas of tools are valid'],
  ['meta-names', 'MUST', 'basic#meta', 'basic#meta', 'keys of metadata and names of extensions have the form that the specification gives'],
  ['trace-context', 'MUST', undefined, 'basic#meta', 'trace fields that are not in the format of W3C are ignored'],
  ['internal-error', 'SHOULD', 'server/resources#error-handling', 'server/resources#error-handling', 'a fault of the server is answered -32603, without its details'],

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
  ['modern-alone', 'MUST', undefined, 'basic/transports/streamable-http#protocol-version-header', 'without the revisions that have a handshake a message without the version header is refused with -32020'],
  ['modern-alone-traffic', 'SHOULD', undefined, 'basic/transports/streamable-http#earlier-streamable-http-revisions', 'without them GET and DELETE are answered 405, and ids of sessions ignored'],
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
  ['param-absent', 'MUST NOT', undefined, 'basic/transports/streamable-http#server-behavior-for-custom-headers', 'a parameter without a value has no header'],
  ['header-annotations', 'MUST', undefined, 'basic/transports/streamable-http#schema-extension', 'wrong annotations of mirrored parameters are refused when the server starts'],
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
  ['unrelated-on-get', 'SHOULD', 'basic/transports#listening-for-messages-from-the-server', undefined, 'what belongs to a request is not on a stream opened by GET'],
  ['one-stream', 'MUST', 'basic/transports#multiple-connections', undefined, 'a message goes to one stream'],
  ['event-id-unique', 'MUST', 'basic/transports#resumability-and-redelivery', undefined, 'event ids are unique over all streams of a session'],
  ['event-id-names-stream', 'SHOULD', 'basic/transports#resumability-and-redelivery', undefined, 'an event id names its stream'],
  ['replay-own-stream', 'MUST NOT', 'basic/transports#resumability-and-redelivery', undefined, 'nothing of another stream is replayed'],

  // Cancellation, progress, ping
  ['cancelled-stops', 'SHOULD', 'basic/utilities/cancellation#behavior-requirements', 'basic/patterns/cancellation#behavior-requirements', 'work that is cancelled stops, and is not answered'],
  ['cancelled-ignored', 'SHOULD', 'basic/utilities/cancellation#error-handling', undefined, 'a cancellation that makes no sense is ignored'],
  ['cancelled-teardown', 'MUST', undefined, 'basic/patterns/cancellation', 'a subscription that the server ends is cancelled by a notification'],
  ['cancelled-only-subscriptions', 'MUST NOT', undefined, 'basic/patterns/cancellation', 'the server cancels nothing but subscriptions'],
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
  ['cache-hints', 'MUST', undefined, 'server/utilities/caching#cacheable-results', 'each result that may be kept says so: lists, reads and server/discover'],
  ['cache-private', 'MUST', undefined, 'server/utilities/caching#security-considerations', 'what depends on the caller is private'],
  ['mrtr-only', 'MUST', undefined, 'basic/patterns/mrtr', 'the client is asked by a result, and by nothing else'],
  ['mrtr-state-protected', 'MUST', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a request state that was altered is refused'],
  ['mrtr-state-bound', 'SHOULD', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a request state belongs to a caller and a request, and expires'],
  ['mrtr-something', 'MUST', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'such a result asks something or gives a state'],
  ['mrtr-capable', 'MUST NOT', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'a client is not asked what it did not declare'],
  ['input-mode', 'MUST NOT', 'client/elicitation#capabilities', 'client/elicitation#capabilities', 'a client is asked only in the modes that it declared: forms, addresses, tools of a model'],
  ['input-methods', 'MUST NOT', undefined, 'basic/patterns/mrtr#supported-requests', 'only calls of tools and prompts are answered by a question'],
  ['input-keys', 'MUST', undefined, 'basic/patterns/mrtr#server-requirements-basic-workflow', 'questions have keys of their own and are of three kinds'],
  ['input-responses', 'SHOULD', undefined, 'basic/patterns/mrtr#error-handling', 'answers that are no object are answered -32602'],
  ['mrtr-extra', 'SHOULD', undefined, 'basic/patterns/mrtr#error-handling', 'answers to what was not asked are ignored'],
  ['mrtr-again', 'SHOULD', undefined, 'basic/patterns/mrtr#error-handling', 'what is missing is asked again'],

  // Tools
  ['tools-declared', 'MUST', 'server/tools#capabilities', 'server/tools#capabilities', 'tools are declared'],
  ['tools-ordered', 'SHOULD', undefined, 'server/tools#capabilities', 'tools are listed in the same order each time'],
  ['lists-per-caller', 'MUST NOT', undefined, 'server/tools#capabilities', 'lists depend on the caller alone, not on the connection or on earlier requests'],
  ['tools-changed', 'SHOULD', 'server/tools#list-changed-notification', 'server/tools#list-changed-notification', 'whoever listens is told when the list changes'],
  ['tool-names', 'SHOULD', 'server/tools#tool-names', 'server/tools#tool-names', 'names have 1 to 128 letters, digits, underscores, hyphens or dots, and are unique'],
  ['tool-schema', 'MUST', 'server/tools#tool', 'server/tools#tool', 'the input schema is an object'],
  ['tool-output', 'MUST', 'server/tools#output-schema', 'server/tools#output-schema', 'a structured result fits the output schema'],
  ['tool-both-channels', 'SHOULD', 'server/tools#structured-content', 'server/tools#structured-content', 'a structured result is there as text too'],
  ['tool-unknown', 'SHOULD', 'server/tools#error-handling', 'server/tools#error-handling', 'an unknown tool is an error of the protocol'],
  ['tool-input-checked', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'arguments are checked; what is wrong with them is a result that says so'],
  ['tool-limits', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'calls are limited'],
  ['tool-access', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'access is controlled'],
  ['tool-output-escaped', 'MUST', 'server/tools#security-considerations', 'server/tools#security-considerations', 'texts of records are marked as such in results'],
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
  ['completion-absent', 'SHOULD', 'server/utilities/completion#error-handling', 'server/utilities/completion#error-handling', 'without anything to complete the method does not exist'],
  ['logging-declared', 'MUST', 'server/utilities/logging#capabilities', 'server/utilities/logging#capabilities', 'a server that logs to clients declares it'],
  ['logging-level', 'SHOULD', 'server/utilities/logging#setting-log-level', undefined, 'only what is as severe as was asked for is sent'],
  ['logging-level-invalid', 'SHOULD', 'server/utilities/logging#error-handling', 'server/utilities/logging#error-handling', 'an unknown level is answered -32602'],
  ['logging-asked', 'MUST NOT', undefined, 'server/utilities/logging#per-request-log-level', 'nothing is logged to a request that does not ask for it'],
  ['logging-own-stream', 'MUST NOT', undefined, 'server/utilities/logging#per-request-log-level', 'a log message is on the stream of its request only'],
  ['cursor-invalid', 'SHOULD', 'server/utilities/pagination#error-handling', 'server/utilities/pagination#error-handling', 'a cursor that is none is answered -32602'],
  ['cursor-stable', 'SHOULD', 'server/utilities/pagination#implementation-guidelines', 'server/utilities/pagination#implementation-guidelines', 'pages hold together: nothing is there twice, nothing is left out'],

  // Questions to a legacy client
  ['question-relates', 'SHOULD', 'basic/transports#sending-messages-to-the-server', undefined, 'a question goes out on the stream of the request that it is about'],
  ['question-capable', 'MUST', 'client/elicitation#capabilities', undefined, 'a client is asked only what it declared to answer'],
  ['question-own-answer', 'MUST', 'basic#responses', undefined, 'an answer counts for the question that has its id, and for its session alone'],
  ['question-refused', 'MUST', 'client/elicitation#error-handling', 'client/elicitation#error-handling', 'a question that is refused ends the call with a result that says so'],

  // The tasks extension
  ['task-undeclared', 'MUST NOT', undefined, 'seps/2663#capability-negotiation', 'a client that does not declare tasks gets none, and -32021 where it asks for one'],
  ['task-durable', 'MUST', undefined, 'seps/2663#task-creation', 'a task can be asked for as soon as it was handed out'],
  ['task-unknown', 'MUST', undefined, 'seps/2663#error-handling', 'an unknown task is answered -32602'],
  ['task-answers', 'SHOULD', undefined, 'seps/2663#task-update-requests', 'answers to what a task does not ask are ignored, and some of several are taken'],
  ['task-cancelled', 'MUST', undefined, 'seps/2663#task-cancellation', 'a cancellation is acknowledged, and reaches the work'],
  ['task-notified', 'MAY', undefined, 'seps/2663#task-status-notifications', 'each change is told to who listens, as tasks/get would tell it'],
  ['task-metadata-ignored', 'MUST', 'basic/utilities/tasks#task-support-and-handling', undefined, 'metadata of the tasks of 2025-11-25, which are not declared, is ignored'],

  // Authorization: of the resource server and the authorization server
  ['oauth-conforms', 'SHOULD', undefined, 'basic/authorization#protocol-requirements', 'authorization over HTTP is that of the specification'],
  ['oauth-client-types', 'MUST', undefined, 'basic/authorization#overview', 'OAuth 2.1 is served to clients with and without a secret'],
  ['oauth-documents', 'SHOULD', undefined, 'basic/authorization/client-registration#client-id-metadata-documents', 'a client may be known by a document at its address'],
  ['oauth-registration', 'MAY', undefined, 'basic/authorization/client-registration#dynamic-client-registration', 'a client may register itself'],
  ['oauth-resource-metadata', 'MUST', undefined, 'basic/authorization/authorization-server-discovery#authorization-server-location', 'the resource describes itself (RFC 9728)'],
  ['oauth-server-metadata', 'MUST', undefined, 'basic/authorization#overview', 'the authorization server describes itself (RFC 8414, OpenID)'],
  ['oauth-discovery', 'MUST', undefined, 'basic/authorization#authorization-server-discovery', 'clients find the authorization server as the specification says'],
  ['oauth-challenge-scope', 'SHOULD', undefined, 'basic/authorization#scope-selection-strategy', 'a 401 names the scope that is needed'],
  ['oauth-scope-consistent', 'SHOULD', undefined, 'basic/authorization#scope-selection-strategy', 'each challenge names the same scopes'],
  ['oauth-iss', 'SHOULD', undefined, 'basic/authorization#authorization-response-validation', 'authorization responses, errors too, name their issuer'],
  ['oauth-iss-advertised', 'MUST', undefined, 'basic/authorization#authorization-response-validation', 'the metadata says that responses name their issuer'],
  ['oauth-authorization-servers', 'MUST', undefined, 'basic/authorization/authorization-server-discovery#authorization-server-location', 'the metadata of the resource names an authorization server'],
  ['oauth-resource-metadata-address', 'MUST', undefined, 'basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements', 'the metadata of the resource is in the challenge and at the well-known address'],
  ['oauth-resource-case', 'SHOULD', undefined, 'basic/authorization#canonical-server-uri', 'scheme and host of a resource may be in upper case'],
  ['oauth-resource-slash', 'SHOULD', undefined, 'basic/authorization#canonical-server-uri', 'the form of a resource without a slash at the end is the canonical one'],
  ['oauth-no-query-token', 'MUST NOT', undefined, 'basic/authorization#token-requirements', 'a token in the query is none'],
  ['oauth-token-validated', 'MUST', undefined, 'basic/authorization#token-handling', 'each access token is validated'],
  ['oauth-audience', 'MUST', undefined, 'basic/authorization/security-considerations#token-audience-binding-and-validation', 'a token for another resource is refused'],
  ['oauth-error-codes', 'MUST', undefined, 'basic/authorization#token-handling', 'errors are those of OAuth 2.1 section 5.3'],
  ['oauth-invalid-401', 'MUST', undefined, 'basic/authorization#token-handling', 'an invalid or expired token is answered 401'],
  ['oauth-own-tokens', 'MUST', undefined, 'basic/authorization#token-handling', 'only tokens for this resource are accepted'],
  ['oauth-no-other-tokens', 'MUST NOT', undefined, 'basic/authorization#token-handling', 'no other token is accepted or passed on'],
  ['oauth-no-offline-access', 'SHOULD NOT', undefined, 'basic/authorization#refresh-tokens', 'neither challenge nor resource names offline_access'],
  ['oauth-statuses', 'MUST', undefined, 'basic/authorization#error-handling', '401, 403 and 400 are used as the specification says'],
  ['oauth-insufficient-scope', 'SHOULD', undefined, 'basic/authorization#runtime-insufficient-scope-errors', 'a token without the scope that an operation needs is answered 403 insufficient_scope'],
  ['oauth-needed-scope', 'SHOULD', undefined, 'basic/authorization#runtime-insufficient-scope-errors', 'the challenge names what each operation needs'],
  ['oauth-one-challenge', 'SHOULD', undefined, 'basic/authorization#runtime-insufficient-scope-errors', 'a challenge names everything that the operation needs'],
  ['oauth-challenge-stable', 'SHOULD', undefined, 'basic/authorization#runtime-insufficient-scope-errors', 'the same request gets the same challenge'],
  ['oauth-scope-hierarchy', 'MUST', undefined, 'basic/authorization#step-up-authorization-flow', 'a broader scope has the narrower one in it'],
  ['oauth-security', 'MUST', undefined, 'basic/authorization#security-considerations', 'the security requirements of OAuth 2.1 section 7 are met'],
  ['oauth-document-draft', 'MUST', undefined, 'basic/authorization/client-registration#implementation-requirements', 'an id that is no address of a document is never fetched'],
  ['oauth-document-fetched', 'SHOULD', undefined, 'basic/authorization/client-registration#implementation-requirements', 'the document of an id that is an address is fetched'],
  ['oauth-document-id', 'MUST', undefined, 'basic/authorization/client-registration#implementation-requirements', 'the client_id in a document is its address, exactly'],
  ['oauth-document-cached', 'SHOULD', undefined, 'basic/authorization/client-registration#implementation-requirements', 'documents are cached as their headers say'],
  ['oauth-document-redirects', 'MUST', undefined, 'basic/authorization/client-registration#implementation-requirements', 'redirect URIs are those of the document'],
  ['oauth-document-fields', 'MUST', undefined, 'basic/authorization/client-registration#implementation-requirements', 'a document is JSON with the fields that are required'],
  ['oauth-document-section-6', 'SHOULD', undefined, 'basic/authorization/security-considerations#client-id-metadata-document-security', 'documents are bounded, hold no secret, and are fetched without redirects'],
  ['oauth-ssrf', 'SHOULD', undefined, 'basic/authorization/security-considerations#authorization-server-abuse-protection', 'nothing is fetched from a private address'],
  ['oauth-loopback-warning', 'SHOULD', undefined, 'basic/authorization/security-considerations#localhost-redirect-uri-risks', 'a redirect to the person\'s own machine is warned of'],
  ['oauth-redirect-host-shown', 'MUST', undefined, 'basic/authorization/security-considerations#localhost-redirect-uri-risks', 'the host of the redirect is shown'],
  ['oauth-trust-policy', 'MAY', undefined, 'basic/authorization/security-considerations#trust-policies', 'an operator admits clients by their hosts'],
  ['oauth-documents-advertised', 'MUST', undefined, 'basic/authorization/client-registration#advertising-cimd-support', 'the metadata says that documents are supported'],
  ['oauth-token-storage', 'MUST', undefined, 'basic/authorization/security-considerations#token-theft', 'tokens are stored so that nobody can read them'],
  ['oauth-short-lived', 'SHOULD', undefined, 'basic/authorization/security-considerations#token-theft', 'access tokens end by themselves'],
  ['oauth-rotation', 'MUST', undefined, 'basic/authorization/security-considerations#token-theft', 'refresh tokens of public clients are rotated'],
  ['oauth-https', 'MUST', undefined, 'basic/authorization/security-considerations#communication-security', 'the endpoints are https'],
  ['oauth-redirect-https', 'MUST', undefined, 'basic/authorization/security-considerations#communication-security', 'redirect URIs are https or on localhost'],
  ['oauth-pkce-advertised', 'MUST', undefined, 'basic/authorization/security-considerations#authorization-code-protection', 'the metadata names the methods of PKCE'],
  ['oauth-redirect-exact', 'MUST', undefined, 'basic/authorization/security-considerations#open-redirection', 'redirect URIs are compared exactly'],
  ['oauth-no-untrusted-redirect', 'MUST', undefined, 'basic/authorization/security-considerations#open-redirection', 'nobody is redirected to an address that is not the client\'s'],
  ['oauth-redirect-trusted', 'SHOULD', undefined, 'basic/authorization/security-considerations#open-redirection', 'only a trusted address is redirected to without being asked'],
  ['oauth-consent-per-client', 'MUST', undefined, 'basic/authorization/security-considerations#confused-deputy-problem', 'a person consents to each client'],
  ['oauth-no-data', 'MUST', undefined, 'basic/authorization/security-considerations#access-token-privilege-restriction', 'a token is validated before anything else of the request'],
  ['oauth-resource-bound', 'MUST', undefined, 'basic/authorization#resource-parameter-implementation', 'tokens are bound to the resource that was asked for'],
  ['oauth-pkce', 'MUST', undefined, 'basic/authorization/security-considerations#authorization-code-protection', 'a code needs its verifier, by S256'],

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
