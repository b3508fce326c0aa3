/** Statements about what servers offer: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const SERVER_FEATURES: readonly StatementRow[] = [
  // 2026-07-28 server/discover#
  ['72ea0be78ae2', 'server', 'discover', 'server/discover is there'],
  // 2026-07-28 server/discover#when-to-call
  ['cb6882df3058', 'client', 'why:inside-the-client', 'a client of both eras asks first'],
  // 2026-07-28 server/discover#discoverresult
  ['cff7e807057c', 'server', 'server-info', 'the result names the server'],
  ['d8fced92ae13', 'client', 'why:names-of-parties', 'the name of the server changes nothing'],
  // 2026-07-28 server/prompts#capabilities
  ['c0ea543b7bf5', 'server', 'prompts-declared', 'prompts are declared'],
  ['35d6078bae3e', 'server', 'prompts-declared', 'prompts/list has the prompts'],
  ['ee74fe66f7bf', 'server', 'lists-per-caller stateless', 'lists do not depend on connection or earlier requests'],
  ['f552cb70b305', 'server', 'why:permission', 'lists may depend on the credential'],
  // 2026-07-28 server/prompts#getting-a-prompt
  ['4fc204f711e8', 'server', 'why:permission', 'a prompt may ask first'],
  // 2026-07-28 server/prompts#list-changed-notification
  ['bde60a72283d', 'server', 'prompts-changed', 'whoever listens is told when the list changes'],
  // 2026-07-28 server/prompts#image-content
  ['41b05e4989f7 f745a4706d7c', 'server', 'older-contents why:authors-of-tools', 'media are base64 with a type'],
  // 2026-07-28 server/prompts#resource-links
  ['709087b3c463', 'server', 'why:permission', 'prompts may have links'],
  // 2026-07-28 server/prompts#embedded-resources
  ['cc8ea709a494 0014332c6c8e ea14ef9b0521', 'server', 'older-contents', 'embedded resources have URI, type, and text or blob'],
  // 2026-07-28 server/prompts#error-handling
  ['266db4986a64 4ef44595d0d3', 'server', 'prompt-errors tool-unknown', 'unknown names and wrong arguments: -32602'],
  ['ec6283151ada', 'server', 'internal-error', 'faults of the server: -32603'],
  // 2026-07-28 server/prompts#implementation-considerations
  ['83710e16af40', 'server', 'prompt-errors', 'arguments of prompts are validated'],
  ['c3f573a900ce', 'client', 'profile:pages-of-one why:inside-the-client', 'large lists come in pages'],
  ['5d68eb9e6614', 'both', 'capabilities-kept rule:method-unknown', 'capabilities are respected'],
  // 2026-07-28 server/prompts#security
  ['91da7bc066e2', 'server', 'prompt-errors', 'inputs of prompts are validated'],
  // 2026-07-28 server/resources#capabilities
  ['e7a22da38c76', 'server', 'resources-declared', 'resources are declared'],
  ['9960c5b8ccd0', 'server', 'cursor-stable', 'resources/list has the resources'],
  ['e55fb5b0ad84', 'server', 'why:permission', 'lists may depend on the credential'],
  // 2026-07-28 server/resources#reading-resources
  ['2a89734bbf81 40d659132adc', 'server', 'why:permission', 'several contents, or a question'],
  // 2026-07-28 server/resources#list-changed-notification
  ['ed78061e1007', 'server', 'resources-changed', 'whoever listens is told when the list changes'],
  // 2026-07-28 server/resources#https
  ['5c3cfc694c38 160d540a0bc2', 'server', 'why:authors-of-tools', 'https is for what clients fetch themselves'],
  // 2026-07-28 server/resources#file
  ['c9503b0eddb9', 'server', 'why:permission', 'types of directories'],
  // 2026-07-28 server/resources#custom-uri-schemes
  ['a8e856b19e47', 'server', 'resource-scheme', 'own schemes follow RFC 3986'],
  // 2026-07-28 server/resources#error-handling
  ['ca50f1d0276d', 'server', 'resource-unknown-params', 'an unknown resource: -32602'],
  ['16e5cf61f223', 'server', 'internal-error', 'faults of the server: -32603'],
  ['a8ef37ca00d6', 'client', 'why:inside-the-client', '-32002 is understood'],
  ['5f93764ffa97', 'server', 'resource-unknown-params', 'never empty contents for it'],
  // 2026-07-28 server/resources#security-considerations
  ['bd8e599612be', 'server', 'resource-uris', 'URIs are validated'],
  ['a85072430227', 'server', 'resource-access', 'access is controlled'],
  ['367a3b149f73', 'server', 'resource-binary', 'binary data is encoded'],
  ['4a7c580524e1', 'server', 'resource-access', 'permission is checked first'],
  ['4470f35ad59f', 'server', 'why:authors-of-tools', 'paths of files are sanitized'],
  // 2026-07-28 server/tools#user-interaction-model
  ['1ca402f310a0 e6598fcfd49d 6cd9bed3c3d3 aeed6ba42dc0', 'host', 'why:inside-the-client', 'a person sees and confirms calls'],
  // 2026-07-28 server/tools#capabilities
  ['edc71de6498a', 'server', 'tools-declared', 'tools are declared'],
  ['3de37861a9d6', 'server', 'tools-declared tools-ordered', 'tools/list has the tools'],
  ['fd2e5571eda1', 'server', 'why:permission', 'lists may depend on the credential'],
  ['c942758f7ac0', 'server', 'tools-ordered', 'the order is the same each time'],
  // 2026-07-28 server/tools#input-required-tool-results
  ['a4de37f2cef7', 'server', 'why:permission', 'a call may ask first'],
  ['18767aa21920', 'client', 'rule:retry-id-reused', 'a retry has another id'],
  // 2026-07-28 server/tools#list-changed-notification
  ['2d789004a60d', 'server', 'tools-changed', 'whoever listens is told when the list changes'],
  // 2026-07-28 server/tools#tool
  ['d4a46d58afd9', 'server', 'tool-schema schemas-valid', 'the input schema is an object'],
  ['fe5b57bcab5c', 'server', 'why:permission', 'parameters may be mirrored'],
  ['8d0c08eb8edb', 'client', 'why:inside-the-client', 'annotations are not trusted'],
  // 2026-07-28 server/tools#tool-names
  ['855eafdd0036', 'server', 'tool-names', 'names have 1 to 128 characters'],
  ['29c680cb3eca', 'both', 'tool-names why:inside-the-client', 'names have case'],
  ['f2d3507a3717', 'server', 'tool-names', 'letters, digits, underscore, hyphen, dot'],
  ['3c356787ab33', 'server', 'tool-names', 'no other characters'],
  ['a4fe2dbda67d', 'server', 'tool-names', 'names are unique'],
  ['3af37ecb0d75 202a1e1504e2', 'client', 'why:inside-the-client', 'names of several servers are told apart'],
  // 2026-07-28 server/tools#x-mcp-header
  ['4c72bcc73432', 'client', 'why:inside-the-client', 'integers are in the safe range'],
  ['e7237e802b35', 'server', 'mirrored-valid header-annotations', 'only for properties that are reached by properties alone'],
  ['fb85842e7b1f', 'server', 'why:authors-of-tools', 'nothing secret is mirrored'],
  // 2026-07-28 server/tools#resource-links
  ['d8d573e5d653 f104f89ffb0f', 'server', 'why:permission', 'links and embedded resources'],
  // 2026-07-28 server/tools#embedded-resources
  ['3392cf115685', 'server', 'resources-declared', 'who embeds resources serves them'],
  // 2026-07-28 server/tools#structured-content
  ['0318d6c19351', 'server', 'tool-both-channels', 'a structured result is there as text too'],
  // 2026-07-28 server/tools#output-schema
  ['db78f2c0916f', 'server', 'tool-output', 'a structured result fits its schema'],
  ['860673451c0c', 'client', 'profile:structured-against-schema', 'it is validated'],
  // 2026-07-28 server/tools#error-handling
  ['c22f96342f68 77169a9da61c', 'client', 'why:inside-the-client', 'the model sees errors'],
  // 2026-07-28 server/tools#security-considerations
  ['27311bd3e22b', 'server', 'tool-input-checked', 'inputs are validated'],
  ['80557155bd17', 'server', 'tool-access', 'access is controlled'],
  ['3a3b8a9a83a7', 'server', 'tool-limits', 'calls are limited'],
  ['8717971894c8', 'server', 'tool-output-escaped', 'outputs are sanitized'],
  ['6053e62eb8aa d1d1bec476a2 a4caa67c356f e80dd8bfda31', 'client', 'why:inside-the-client', 'what a client checks and shows'],
  ['b3bb097caeeb', 'client', 'why:time-limits', 'calls have time limits'],
  ['1bc1c78334ca', 'client', 'why:inside-the-client', 'calls are logged'],
  // 2026-07-28 server/utilities/caching#cacheable-results
  ['22e54e4759b8 c5d901e7d87f ab963566fa1d d63e9c06ef6c 86705b2908b4 e33e20382be3', 'server', 'cache-hints', 'each of these results says how long it may be kept'],
  // 2026-07-28 server/utilities/caching#cache-key
  ['dd81dc5ce60a 3762a97e654c', 'client', 'why:client-caches', 'what may not be served from a cache'],
  // 2026-07-28 server/utilities/caching#cacheable-model
  ['853a499d1233 6f910659b44a', 'client', 'why:permission', 'results may be kept'],
  // 2026-07-28 server/utilities/caching#time-to-live-ttl-field
  ['13c67da5035d', 'client', 'why:client-caches', '0 is stale'],
  ['78be3160a90b', 'client', 'why:permission', 'asking each time is permitted'],
  ['8c2a0afc58f9 5c6509b8e257 3c5548f1fb26', 'client', 'why:client-caches', 'how long a result is fresh'],
  ['42faf8bd0c9b', 'server', 'cache-ttl', 'never negative'],
  ['d08d50dec583', 'server', 'why:permission', 'data may change before'],
  // 2026-07-28 server/utilities/caching#freshness-calculation
  ['6732fa720748 fe9de8b2f616', 'client', 'why:client-caches', 'stale results are read again when they are needed'],
  ['7c7011cd9554', 'client', 'why:client-caches', 'polling has jitter'],
  ['ec41759fd5ce 2efb59d8fc3a', 'client', 'why:permission', 'earlier, or later after errors'],
  // 2026-07-28 server/utilities/caching#cache-scope-field
  ['91431ed25d02 ad9fcb6e7f44', 'client', 'why:permission', 'who may share what is kept'],
  ['e4e207a6e257', 'client', 'why:client-caches', 'private results are not shared'],
  // 2026-07-28 server/utilities/caching#interaction-with-notifications
  ['3a47346aee0e ccd8e8e53e5d', 'server', 'why:permission', 'with or without notifications'],
  // 2026-07-28 server/utilities/caching#interaction-with-pagination
  ['f66f7aee221f', 'server', 'why:permission', 'pages may differ'],
  ['4d409dd11d4d 28d495671dc6', 'client', 'why:client-caches', 'pages are read again'],
  ['59057db23c2b', 'client', 'profile:cursor-expired', 'after an invalid cursor the list is read from its beginning'],
  ['4ba8b86031bf eb33d217f6c3', 'server', 'cache-scope', 'all pages have the same scope'],
  // 2026-07-28 server/utilities/caching#security-considerations
  ['db5001041e09', 'server', 'cache-private', 'what depends on the caller is not public'],
  ['1f9202f52198', 'server', 'cache-private tool-access resource-access', 'access does not depend on the scope of the cache'],
  // 2026-07-28 server/utilities/completion#capabilities
  ['394f99885a13', 'server', 'completions-declared', 'completions are declared'],
  // 2026-07-28 server/utilities/completion#error-handling
  ['81f01fb4a63d', 'server', 'completion-absent', 'without the capability: -32601'],
  // 2026-07-28 server/utilities/completion#implementation-considerations
  ['53aa84ebca35', 'server', 'why:completion-by-prefix', 'suggestions are sorted by relevance'],
  ['4464d61aa980', 'server', 'why:completion-by-prefix', 'inexact input is matched where it makes sense'],
  ['4509e1670f2a', 'server', 'completion-limited', 'requests are limited'],
  ['0e9ac8b1441f', 'server', 'completion-checked', 'inputs are validated'],
  ['7442ffb7119c cc19529d7bfe', 'client', 'why:inside-the-client', 'requests are spared'],
  ['27f4be956ebb', 'client', 'why:inside-the-client', 'missing suggestions do no harm'],
  // 2026-07-28 server/utilities/completion#security
  ['f4dc3de03f6d', 'server', 'completion-checked', 'inputs are validated'],
  ['37243b968ca4', 'server', 'completion-limited', 'requests are limited'],
  ['bd3db552e855 f3703864ebfd', 'server', 'completion-access', 'nothing is suggested that the caller may not see'],
  // 2026-07-28 server/utilities/logging#
  ['fe836f077f32', 'both', 'why:no-log-messages', 'logging is not to be adopted'],
  // 2026-07-28 server/utilities/logging#capabilities
  ['6f0ef430d4c7', 'server', 'logging-declared', 'who logs declares it'],
  // 2026-07-28 server/utilities/logging#per-request-log-level
  ['2979961bdb20', 'server', 'logging-asked', 'nothing is logged to who did not ask'],
  ['2f9877f5bc02', 'server', 'logging-asked logging-own-stream', 'from the level on, on the stream of the request'],
  // 2026-07-28 server/utilities/logging#error-handling
  ['4a0498954a66', 'server', 'logging-level-invalid', 'an unknown level: -32602'],
  ['dfbcd18153ed', 'server', 'internal-error', 'faults of the server: -32603'],
  // 2026-07-28 server/utilities/logging#implementation-considerations
  ['59458a3d11bd 972e613c4c7c 110f1c243855 4df5b7d324b5', 'server', 'why:no-log-messages', 'what a log message has'],
  ['18a1eea5f63f 5012930b6ab0 cc0cf2bfa10c 967eb50d6c19', 'client', 'why:permission', 'what a client does with log messages'],
  // 2026-07-28 server/utilities/logging#security
  ['ade6a46f49a2 ff45962ee6f6 c5aed5ec0ede', 'server', 'why:no-log-messages', 'nothing secret is in a log message'],
  ['f2a1aeb3b69a ed428d464097 ad0e48e0d9fc d39bec8e8f4d', 'both', 'why:no-log-messages', 'logging is limited and watched'],
  // 2026-07-28 server/utilities/pagination#pagination-model
  ['ee28113ac8d6', 'client', 'profile:pages-of-one', 'no page size is assumed'],
  // 2026-07-28 server/utilities/pagination#implementation-guidelines
  ['37e39141730c', 'server', 'cursor-stable', 'pages hold together'],
  ['9925247eaaff', 'server', 'cursor-invalid', 'a cursor that is none does no harm'],
  ['a920e91da5e3', 'client', 'profile:pages-of-one why:inside-the-client', 'no cursor is the end'],
  ['155a78ebd105', 'client', 'profile:pages-of-one', 'with and without pages'],
  ['8107eac1930a 18ebf0af37f6', 'client', 'rule:cursor-invented', 'cursors are opaque'],
  ['650a57057ec3', 'client', 'profile:page-empty rule:cursor-invented', 'only its presence counts'],
  // 2026-07-28 server/utilities/pagination#error-handling
  ['869f32039751', 'server', 'cursor-invalid', 'a cursor that is none: -32602'],
  // 2025-11-25 server/prompts#capabilities
  ['7ae307a3b724', 'server', 'prompts-declared', 'prompts are declared'],
  // 2025-11-25 server/prompts#list-changed-notification
  ['7ea4c8de4b21', 'server', 'prompts-changed', 'clients are told when the list changes'],
  // 2025-11-25 server/resources#error-handling
  ['ca5c3806cc35', 'server', 'resource-unknown', 'an unknown resource: -32002'],
  ['90ebc1d9baed', 'server', 'internal-error', 'faults of the server: -32603'],
  // 2025-11-25 server/tools#list-changed-notification
  ['9801bc81124e', 'server', 'tools-changed', 'clients are told when the list changes'],
  // 2025-11-25 server/utilities/logging#setting-log-level
  ['84280dc3eed3', 'client', 'why:permission', 'the level may be set'],
  // 2025-11-25 server/utilities/logging#error-handling
  ['6e5d218362b2', 'server', 'logging-level-invalid', 'an unknown level: -32602'],
  ['7d5b48a502fa', 'server', 'internal-error', 'faults of the server: -32603'],
  // 2025-11-25 server/utilities/pagination#implementation-guidelines
  ['f408ba88db03', 'client', 'why:same-messages', 'cursors are not kept beyond the session'],
  // 2025-03-26 server/tools#embedded-resources
  ['ba00e1cc43d3', 'server', 'why:permission', 'embedded resources']
]
