/** Statements about messages, metadata and schemas: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const BASE_PROTOCOL: readonly StatementRow[] = [
  // 2026-07-28 basic#
  ['7a5c89b4e1b8', 'both', 'json-rpc discover rule:message-malformed', 'base protocol, versioning and patterns are supported'],
  ['b29a450d58cf', 'both', 'why:permission', 'other components are optional'],
  // 2026-07-28 basic#messages
  ['eef7a680ff69', 'both', 'json-rpc rule:message-malformed', 'messages are JSON-RPC 2.0'],
  // 2026-07-28 basic#requests
  ['66ef9eadc212', 'both', 'request-id-type question-own-answer rule:id-null', 'a request has a string or an integer as its id'],
  ['ad286f188a32', 'both', 'request-id-type question-own-answer rule:id-null', 'an id is never null'],
  ['64f73cee97ca', 'both', 'question-own-answer why:overlapping-requests', 'no two requests under way have the same id'],
  // 2026-07-28 basic#result-responses
  ['30809819e25c', 'both', 'response-same-id rule:request-unanswered', 'a response has the id of its request'],
  ['7533ef774602', 'both', 'response-fields rule:response-malformed', 'a response has a result'],
  ['7f40bfed1a43', 'both', 'why:permission', 'a result may be any object'],
  ['632fadec2884', 'server', 'result-type', 'a result names its type'],
  // 2026-07-28 basic#resulttype
  ['6cb2a674832b', 'other', 'why:permission', 'extensions may add types of results'],
  ['419a7bb988de', 'server', 'result-type task-undeclared', 'only types of the core and of declared extensions are used'],
  ['6f65cf94a460', 'client', 'profile:result-type-unknown', 'a type that is unknown is refused'],
  ['b3cd14981118', 'client', 'profile:server-of-before', 'a result without type is complete'],
  // 2026-07-28 basic#error-responses
  ['06a75811aa75', 'both', 'response-same-id response-fields rule:request-unanswered', 'an error has the id of its request'],
  ['fd9855db58f4', 'both', 'error-shape response-fields rule:response-malformed', 'an error has code and message'],
  ['1b1f5078592f', 'both', 'error-shape rule:response-malformed', 'codes are integers'],
  ['5f3486ae71b9', 'both', 'why:permission', 'an error may have data'],
  // 2026-07-28 basic#error-codes
  ['b615d13319b1', 'both', 'codes-own codes-reserved why:inside-the-client', 'no new codes in the range of before'],
  ['3760516f9d26', 'client', 'why:inside-the-client', 'codes of before have no meaning of their own'],
  ['c2c34ca5b670', 'both', 'codes-reserved why:client-error-codes', 'codes of the reserved range are those of the specification'],
  ['40470117c154', 'client', 'why:inside-the-client', '-32002 is understood'],
  ['78b0c194f73e', 'both', 'codes-reserved why:client-error-codes', '-32042 is not sent'],
  ['a61e238d21af', 'both', 'codes-own why:client-error-codes', 'own codes are outside of the reserved range'],
  // 2026-07-28 basic#notifications
  ['5fe9ccb4c8d5', 'both', 'notification-no-response profile:notification-unknown', 'a notification is not answered'],
  ['85dcc13f423d', 'both', 'notification-no-id rule:notification-with-id', 'a notification has no id'],
  // 2026-07-28 basic#statelessness
  ['9476e3dc602a', 'server', 'stateless', 'nothing is taken from earlier requests'],
  ['8f1373e1dbdf', 'server', 'stateless', 'requests of several conversations come over one connection'],
  ['e4cff2725baa', 'server', 'stateless', 'no request needs the connection of another one'],
  ['18f6b9a4c590', 'client', 'why:stdio', 'a process outlives a conversation'],
  ['2c1e332d157d', 'server', 'state-by-handle', 'state over several requests goes by an identifier'],
  // 2026-07-28 basic#auth
  ['152822e61795', 'both', 'oauth-conforms why:stdio', 'over HTTP as specified, over stdio from the environment'],
  ['b833a38ab0f3', 'both', 'why:permission', 'other ways to authorize may be agreed on'],
  // 2026-07-28 basic#schema-dialect
  ['3e87f742cbb6', 'both', 'why:permission', 'a schema may name another dialect'],
  ['b0fa15da377c', 'both', 'schema-2020-12 why:documented-dialects', '2020-12 is supported, and documented'],
  ['e21004d5781a', 'both', 'schemas-valid why:inside-the-client', '2020-12 is recommended'],
  // 2026-07-28 basic#implementation-requirements
  ['5a16b399b091', 'both', 'schema-2020-12 why:inside-the-client', 'without a dialect it is 2020-12'],
  ['3f22dc1d9c9b', 'both', 'schema-2020-12 schema-dialect why:inside-the-client', 'schemas are read by their dialect'],
  ['733b7294a7d4', 'both', 'schema-dialect why:inside-the-client', 'a dialect that is not supported is an error that says so'],
  ['37c2ffe5a50a', 'both', 'schema-dialect why:inside-the-client', 'supported dialects are documented'],
  // 2026-07-28 basic#schema-validation
  ['45f742e09926', 'server', 'schemas-valid', 'schemas are valid'],
  // 2026-07-28 basic#ref-resolution
  ['b2bc730cfe71', 'both', 'schema-no-network why:inside-the-client', 'no reference is fetched from the network'],
  ['e20af20230f3', 'both', 'schema-no-network why:permission', 'fetching may be an option, off by default'],
  ['46abb847259d', 'both', 'schema-no-network why:inside-the-client', 'a schema with an unresolved reference is refused'],
  // 2026-07-28 basic#composition-keyword-resource-use
  ['b86316a06095', 'both', 'why:own-schemas', 'validation is bounded'],
  // 2026-07-28 basic#meta
  ['fa7aa39e18d8', 'both', 'meta-names why:inside-the-client', 'nothing is assumed about reserved keys'],
  ['8af9405c40c0', 'both', 'meta-names why:inside-the-client', 'form of a prefix of a key'],
  ['61272f830074', 'both', 'meta-names why:inside-the-client', 'form of the labels of a prefix'],
  ['feb2d7379487', 'both', 'meta-names why:inside-the-client', 'prefixes are reversed names of domains'],
  ['259e93cbe890', 'both', 'meta-names why:inside-the-client', 'form of a name of a key'],
  ['48b388a35de0', 'both', 'why:permission', 'letters that a name may have'],
  ['1161334f7293', 'client', 'rule:meta-incomplete', 'required fields are in each request'],
  ['524679b911ec', 'server', 'meta-required', 'a request without them is refused with -32602'],
  ['d985a761946f', 'server', 'meta-required', 'and with 400'],
  ['ac751d089bee', 'client', 'rule:client-info-missing', 'each request names its client'],
  ['3641886a119d', 'server', 'capabilities-kept mrtr-capable', 'no capability is used that was not declared'],
  ['fdaf614fc088', 'server', 'capability-missing', 'a capability that is needed is named in -32021'],
  ['9e829306bba0', 'server', 'server-info', 'each result names its server'],
  ['b05308933899', 'both', 'why:names-of-parties', 'names of clients and servers change nothing'],
  ['b8703ae6ab00', 'server', 'listen-stamped', 'notifications of a subscription have its id'],
  ['511fbf61a225', 'both', 'trace-context why:trace-fields', 'trace fields have the format of W3C'],
  // 2026-07-28 basic#icons
  ['818fbeb4d6f7 00d44bc67b5d 157eb592a88f 6f8dc27de260', 'client', 'why:icons', 'types of icons that are shown'],
  ['235cc295acac 5df1578b1799 160f9c78a394 1cc35b7ca875', 'client', 'why:icons', 'icons are untrusted'],
  ['f30240692f1f', 'client', 'why:permission', 'limits for icons'],
  ['fb3198b74077 841b5ab883e6', 'client', 'why:icons', 'icons are fetched without credentials, from the same origin'],
  ['10f4bcf8e3ea e6e99c220cc7', 'client', 'why:permission', 'caution with active content in icons'],
  ['d758601f66b4 4db189f7a545', 'client', 'why:icons', 'types of icons are verified'],
  // 2026-07-28 deprecated#
  ['c78e5ac2e768', 'both', 'why:repetition', 'what deprecated means'],
  // 2026-07-28 #implementation-guidelines
  ['bd6d328b215b 656b8d6b1ccc c35de72c9cb2 1e8e34d61f4c a71ddc3a25dc', 'both', 'why:principles', 'principles of security'],
  // 2025-11-25 basic#
  ['9aa1c9c2497c', 'both', 'initialize-answer rule:before-handshake', 'base protocol and lifecycle are supported'],
  // 2025-11-25 basic#requests
  ['8b73dea1ea41', 'both', 'question-own-answer rule:id-reused', 'an id is used once in a session'],
  // 2025-06-18 basic#responses
  ['02bc923a41dc', 'both', 'response-same-id rule:request-unanswered', 'a response has the id of its request'],
  ['0421375ca909', 'both', 'response-fields rule:response-malformed', 'it has a result or an error'],
  ['885a465b1970', 'both', 'response-fields profile:result-and-error', 'never both'],
  ['1a8752dcce9d', 'both', 'error-shape rule:response-malformed', 'an error has code and message'],
  // 2025-03-26 basic#batching
  ['6c80a5fe08f1', 'both', 'batch-received why:batches-to-clients', 'batches are received'],
  // 2024-11-05 basic#auth
  ['27ed47faf875', 'both', 'why:permission', 'other ways to authorize may be agreed on'],
  // 2024-11-05 basic/messages#
  ['be5ca8670649', 'both', 'json-rpc rule:message-malformed', 'messages are JSON-RPC 2.0']
]
