/** Statements about transports: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const TRANSPORTS: readonly StatementRow[] = [
  // 2026-07-28 basic/transports#messages
  ['8b8dcf1a9b5b', 'both', 'utf-8 rule:body-not-json profile:json-invalid-utf-8', 'UTF-8'],
  ['317a43e349ef', 'both', 'reply-type accepted rule:http-method-wrong', 'a transport delivers messages'],
  // 2026-07-28 basic/transports#request-metadata
  ['d9ce87bffdc5', 'other', 'why:other-transports', 'a transport may mirror fields'],
  // 2026-07-28 basic/transports#custom-transports
  ['94a171269693 1ab65f8f405b a5d893197193 ab58f8d21368', 'both', 'why:other-transports', 'other transports'],
  // 2026-07-28 basic/transports/stdio#
  ['f70c43189775 76677132b2a4 cc2bb73849bd 333181ea2f63 6b466fd66f8a aba7d52cbef8 3e2fa94f1b78 15d820342c7d a4bd77f0b0e0 a3d9622d9e2e 17b93b075c91 eb63250b0a86 39ef839a8f65 40b5410bd19a 7865de609df5 ffae4cb8283d 9420ec3d0fc0 7eb6901e4604 0cd3001ba206 661969055d2f', 'both', 'why:stdio', 'what holds over stdio alone'],
  // 2026-07-28 basic/transports/streamable-http#
  ['3853624b11a1', 'server', 'endpoint', 'one path takes POST'],
  // 2026-07-28 basic/transports/streamable-http#security-endpoint
  ['7f1f136d2e73', 'server', 'origin', 'the origin is validated'],
  ['6a7aee425caf', 'server', 'origin', 'a foreign origin is refused with 403'],
  ['090c8ede6391', 'server', 'why:permission', 'the body may be an error without id'],
  ['19ab1aad2ec7', 'server', 'loopback', 'a local server listens on loopback only'],
  ['2dbd923fe355', 'server', 'authentication', 'connections are authenticated'],
  // 2026-07-28 basic/transports/streamable-http#sending-messages
  ['c6deebad06c6', 'client', 'rule:http-method-wrong rule:batch-sent', 'each message is a POST of its own'],
  ['2a1aee66e823', 'client', 'rule:http-method-wrong', 'messages go by POST'],
  ['fe7e52f0ffa5', 'client', 'rule:accept-incomplete', 'Accept names both types'],
  ['5569f35d5e48', 'client', 'rule:mcp-method-missing rule:protocol-version-missing', 'each POST has the headers of metadata'],
  ['a2b799a16687', 'client', 'rule:batch-sent batch-elsewhere', 'a body is one request or notification'],
  ['5f9579c7bbda', 'client', 'rule:response-in-modern no-responses-in', 'no responses are sent'],
  ['32f14c87515f', 'server', 'accepted', 'a notification that is taken: 202, no body'],
  ['18a5354db83e', 'server', 'not-accepted', 'one that is not taken: an error of HTTP'],
  ['f49955c59583', 'server', 'reply-type', 'a request is answered as JSON or as an event stream'],
  ['f1f46f198ff1', 'client', 'profile:reply-stream profile:reply-json', 'both are understood'],
  // 2026-07-28 basic/transports/streamable-http#receiving-messages
  ['1514a8cdd00a', 'server', 'why:permission', 'notifications may come before the response'],
  ['ae43a1a5f4ec', 'server', 'stream-relates', 'they are about the request'],
  ['4b6c9f2018a2', 'server', 'no-requests-out', 'no requests on a stream'],
  ['8b90f57bd622', 'server', 'stream-ends', 'the response ends the stream'],
  ['e35f1f7c4228', 'server', 'unbuffered', 'proxies are told not to buffer'],
  // 2026-07-28 basic/transports/streamable-http#cancellation
  ['639775559f49', 'server', 'disconnect-cancels', 'a stream that the client closes is cancelled'],
  ['1d0d7050d312', 'server', 'disconnect-cancels', 'work stops, and nothing more is sent'],
  // 2026-07-28 basic/transports/streamable-http#protocol-version-header
  ['0b87ac85444c', 'client', 'rule:protocol-version-missing', 'each POST has the version in a header'],
  ['22eddaeb01bc', 'client', 'rule:protocol-version-mismatch', 'header and body name the same version'],
  ['ad5e46c4c89e', 'server', 'version-header-agrees', 'if not: 400 and a mismatch of headers'],
  ['936d82ecf850', 'server', 'version-unsupported', 'another version: 400 and those that are served'],
  ['41d3983cf2be', 'server', 'method-unknown', 'an unknown method: 404 and -32601'],
  ['e3f9b84bef0a', 'server', 'version-header-assumed', 'without the header it may be 2025-03-26'],
  ['2d694c93464f', 'server', 'modern-alone', 'a server of this revision alone refuses that'],
  // 2026-07-28 basic/transports/streamable-http#standard-request-headers
  ['282700ceaaff', 'client', 'rule:mcp-method-missing rule:mcp-name-missing profile:header-mismatch', 'the headers for method and name are required'],
  ['a8c9296b80a1', 'client', 'rule:mcp-name-mismatch', 'a name that is no plain ASCII is encoded'],
  // 2026-07-28 basic/transports/streamable-http#custom-headers-from-tool-parameters
  ['7a390a6c6934', 'server', 'why:permission', 'parameters may be mirrored'],
  ['d19faaed1b75 f2a243fcd1b0', 'client', 'rule:mcp-param-wrong', 'annotated parameters are mirrored'],
  // 2026-07-28 basic/transports/streamable-http#schema-extension
  ['61507211d861', 'server', 'mirrored-valid header-annotations', 'the name is not empty'],
  ['5ed4eaa6c7a1', 'server', 'mirrored-valid header-annotations', 'the name is a token of HTTP'],
  ['658c39e6dda9', 'server', 'mirrored-valid header-annotations', 'the name has no control characters'],
  ['a4115f7e2b8f', 'server', 'mirrored-valid header-annotations', 'names are unique without case'],
  ['2293bdb491a8', 'server', 'mirrored-valid header-annotations', 'only for strings, integers and booleans'],
  ['182d2e87c4ff', 'client', 'why:inside-the-client', 'integers are in the safe range'],
  ['30e30278eefd a1f2ff8a096c', 'server', 'mirrored-valid header-annotations', 'only for properties that are reached by properties alone'],
  ['7e3db1a46941 b0e753c207b0 0c0c903fa288', 'client', 'why:inside-the-client', 'tools with wrong annotations are left out'],
  ['783bfb5f157e', 'client', 'why:stdio', 'other transports may ignore annotations'],
  // 2026-07-28 basic/transports/streamable-http#value-encoding
  ['b0ec858a60d2 d0b7b087fa2b', 'client', 'rule:mcp-param-wrong rule:mcp-name-mismatch', 'values are encoded'],
  ['76351bcbe687', 'client', 'why:repetition', 'explains why names may need encoding'],
  ['f9c76bd86408', 'both', 'headers-decoded rule:mcp-param-wrong', 'the marks of encoding are lower case'],
  ['ffea21c7e341', 'server', 'headers-decoded', 'encoded values are decoded'],
  ['3d7c9cf0b541', 'server', 'headers-decoded', 'before they are compared'],
  ['1f021fbc7bb1', 'client', 'rule:mcp-param-wrong rule:mcp-name-mismatch', 'what looks encoded is encoded'],
  // 2026-07-28 basic/transports/streamable-http#client-behavior
  ['962f02c9cad0 ac3ef04273c0', 'client', 'rule:mcp-method-missing rule:mcp-name-missing rule:mcp-method-mismatch', 'standard headers from the body'],
  ['eac9ed092b63 8d2d25a17640 19d2807f14e2', 'client', 'rule:mcp-param-wrong', 'headers for annotated parameters'],
  ['7227eab4457a', 'client', 'profile:header-mismatch', 'after a mismatch the list is read again'],
  // 2026-07-28 basic/transports/streamable-http#server-behavior-for-custom-headers
  ['01a430535b85', 'other', 'why:other-parties', 'intermediaries forward unknown headers'],
  ['ba46b0eaf71f', 'server', 'headers-characters', 'a header with invalid characters is refused'],
  ['c5e0cc93200e', 'server', 'headers-agree', 'headers agree with the body'],
  ['f9731462cd52', 'server', 'headers-agree', 'if not: 400 and -32020'],
  ['90d1e446dae8', 'both', 'headers-agree param-absent rule:mcp-param-wrong', 'a parameter with a value has its header'],
  ['1a9b88b3e641 901428a0cafe', 'both', 'param-absent rule:mcp-param-wrong', 'a parameter without value has none'],
  ['6469a6da13b8', 'server', 'param-absent', 'a header that is missing is refused'],
  // 2026-07-28 basic/transports/streamable-http#case-sensitivity
  ['f4a8006eaded', 'both', 'headers-case why:inside-the-client', 'names of headers have no case'],
  // 2026-07-28 basic/transports/streamable-http#server-validation
  ['715ae599e5ed', 'server', 'headers-agree', 'what disagrees is refused'],
  ['e53e64e7efb5', 'server', 'headers-numbers', 'numbers are compared as numbers'],
  ['5b144f349ccc', 'server', 'headers-agree', 'with 400 and -32020'],
  ['ba89cc9be757', 'server', 'headers-decoded', 'after decoding'],
  ['22f880fba0d4 b4fc639f95b4 836a3d17c7c7', 'other', 'why:other-parties', 'intermediaries'],
  // 2026-07-28 basic/transports/streamable-http#backward-compatibility
  ['fb8e45e2c5a8', 'client', 'why:permission', 'the era may be found by a modern request'],
  ['f1b73e046fab', 'client', 'profile:server-of-before', 'a 400 is read before falling back'],
  // 2026-07-28 basic/transports/streamable-http#earlier-streamable-http-revisions
  ['f2224e670bdd 3517356420c8 f446b640f6e6', 'server', 'modern-alone-traffic', 'what a server of this revision alone answers to older clients'],
  // 2026-07-28 basic/transports/streamable-http#httpsse-transport-2024-11-05
  ['e9842cc8c061', 'both', 'why:http-with-sse', 'HTTP with SSE is not to be adopted'],
  // 2025-11-25 basic/transports#
  ['d35e46704084', 'client', 'why:stdio', 'stdio is supported'],
  // 2025-11-25 basic/transports#stdio
  ['ad318907bf07', 'server', 'why:stdio', 'stderr is for logs'],
  // 2025-11-25 basic/transports#streamable-http
  ['a1e050dc5c2b', 'server', 'endpoint get-or-405', 'one path takes POST and GET'],
  // 2025-11-25 basic/transports#sending-messages-to-the-server
  ['c5231b71867d', 'client', 'rule:http-method-wrong', 'messages go by POST'],
  ['5987f858d5ba', 'client', 'rule:batch-sent batch-elsewhere', 'a body is one message'],
  ['0bf12166b8ac', 'server', 'accepted', 'what is taken: 202, no body'],
  ['a1a234860f8f', 'server', 'not-accepted', 'what is not taken: an error of HTTP'],
  ['c72d0b606c46', 'server', 'reply-type', 'a request is answered as JSON or as an event stream'],
  ['e1ac51b4e376', 'client', 'profile:reply-stream profile:reply-json', 'both are understood'],
  ['34c5d276d36c', 'server', 'primed', 'a stream begins with an id to come back with'],
  ['44594eedcaf7', 'server', 'why:permission', 'the connection may be closed meanwhile'],
  ['4174edb8b7c8', 'client', 'profile:stream-closed-with-retry', 'the client comes back'],
  ['68f94b5e718d', 'server', 'retry-told', 'with the time after which to come back'],
  ['981362ca8a4e', 'client', 'profile:stream-closed-with-retry profile:stream-retry-field', 'it waits for that time'],
  ['07d199904e0d', 'server', 'response-eventually', 'the response comes in the end'],
  ['6b59efddfabf', 'server', 'why:permission', 'requests and notifications may come before'],
  ['c77dc266c90a', 'server', 'stream-relates question-relates', 'they are about the request'],
  ['c1f01307abc8', 'server', 'why:permission', 'a session that ends may end its streams'],
  ['01d98e62acc5', 'server', 'stream-ends', 'the response ends the stream'],
  ['ddc7f9d42fa7', 'both', 'why:permission', 'connections may be lost'],
  ['4cb301ec795d', 'server', 'disconnect-is-no-cancel', 'a lost connection is no cancellation'],
  ['748928ac8e7b', 'client', 'why:same-messages', 'who cancels says so'],
  ['b0fc560c6960', 'server', 'why:permission', 'streams may be resumable'],
  // 2025-11-25 basic/transports#listening-for-messages-from-the-server
  ['d232ad90ccb4', 'client', 'why:permission', 'a client may listen'],
  ['04d8e6726c51', 'client', 'rule:accept-no-stream', 'Accept names the type of streams'],
  ['62ac608b99b1', 'server', 'get-or-405', 'GET opens a stream, or 405'],
  ['69fd66c88690', 'server', 'why:permission', 'requests and notifications may come on it'],
  ['61e0d068342e', 'server', 'unrelated-on-get', 'they are not about a request under way'],
  ['b7732213f5bd', 'server', 'no-response-on-get', 'no response comes on it'],
  ['959ea5511acf', 'server', 'why:permission', 'the server may close it'],
  ['b856d3e36066', 'server', 'retry-told', 'closed streams follow the same rules'],
  ['77a1da3a7f0a', 'client', 'why:permission', 'the client may close it'],
  // 2025-11-25 basic/transports#multiple-connections
  ['ceb6c373f544', 'client', 'why:permission', 'several streams at a time'],
  ['1ed220f8f358', 'server', 'one-stream', 'a message goes to one stream'],
  ['65d7e54c8ea8', 'server', 'why:permission', 'resumption spares messages'],
  // 2025-11-25 basic/transports#resumability-and-redelivery
  ['025257ac9eb8', 'server', 'why:permission', 'events may have ids'],
  ['8e6d4f8ae0db', 'server', 'event-id-unique', 'they are unique in the session'],
  ['dbe422a6be0b', 'server', 'event-id-names-stream', 'they name their stream'],
  ['c79eedf1de08', 'client', 'profile:stream-cut-resumable', 'a client resumes with the last id'],
  ['f2421fc08339', 'server', 'why:permission', 'the server may replay'],
  ['7699d242b454', 'server', 'replay-own-stream', 'nothing of another stream'],
  // 2025-11-25 basic/transports#session-management
  ['0cc96754136e', 'server', 'why:permission', 'sessions may have ids'],
  ['553896a42302', 'server', 'session-id-secure', 'they cannot be guessed'],
  ['257957f3e0c1', 'server', 'session-id-ascii', 'they are visible ASCII'],
  ['e8ab9a77fe38', 'client', 'profile:session-id-space profile:session-id-control why:inside-the-client', 'they are kept safely'],
  ['cfb6c630db69', 'client', 'rule:session-lost', 'each later request has it'],
  ['6fccac37469d', 'server', 'session-required', 'without it: 400'],
  ['f3db8028eff5', 'server', 'session-ended', 'after its end: 404'],
  ['a87469b3e86b', 'client', 'rule:session-not-renewed rule:initialize-with-session profile:session-gone', 'after 404 a new session begins, without id'],
  ['2f5af8dbe04b', 'client', 'rule:session-not-ended', 'who leaves ends its session'],
  ['73a27b5bdd90', 'server', 'session-delete', '405 is permitted; here DELETE works'],
  // 2025-11-25 basic/transports#protocol-version-header
  ['2078bf45ede5', 'client', 'rule:protocol-version-missing', 'each request has the version in a header'],
  ['b09400aa9b59', 'client', 'rule:protocol-version-mismatch', 'the one that was agreed on'],
  ['8633c84d04df', 'server', 'version-header-assumed', 'without it and without session 2025-03-26'],
  ['5a778e1e386e', 'server', 'version-header-checked', 'an unknown one: 400'],
  // 2025-11-25 basic/transports#custom-transports
  ['3e069da34888 0fa870ea6e31', 'both', 'why:other-transports', 'other transports'],
  // 2025-06-18 basic/transports#stdio
  ['eb41bb97db57', 'server', 'why:stdio', 'stderr is for logs'],
  ['325b442492a4', 'client', 'why:stdio', 'which a client may use'],
  // 2025-06-18 basic/transports#sending-messages-to-the-server
  ['918663164e13', 'server', 'response-eventually', 'the response comes in the end'],
  ['6a15d115d2b4', 'server', 'response-eventually', 'no stream is closed before its response'],
  ['bf4d88add176', 'server', 'stream-ends', 'the response ends the stream'],
  // 2025-06-18 basic/transports#resumability-and-redelivery
  ['75d1cface309', 'client', 'profile:stream-cut-resumable', 'a client resumes with the last id'],
  // 2025-03-26 basic/transports#sending-messages-to-the-server
  ['cb9230394bb9', 'client', 'rule:message-malformed batch-received', 'a body is a message'],
  ['a57e9d6cea65', 'client', 'batch-received rule:message-malformed', 'or a batch of requests'],
  ['38bbdccb5d2d', 'client', 'batch-received rule:message-malformed', 'or a batch of responses'],
  ['56c8d96975d3', 'server', 'batch-received', 'a batch is answered as JSON or as an event stream'],
  ['8cb56cf3dd29', 'server', 'batch-received', 'each request of it is answered'],
  ['23c043a9a694', 'server', 'why:permission', 'in a batch'],
  ['2a653c5d2761', 'server', 'why:permission', 'requests and notifications may come before'],
  ['7cc3e7f92057', 'both', 'why:permission', 'in a batch'],
  ['295665c75a33', 'server', 'batch-received', 'no stream is closed before'],
  ['61c955597574', 'server', 'batch-received', 'it is closed then'],
  // 2024-11-05 basic/transports#security-warning
  ['9ff371ec4867 cfee2b0aac02 d0368289f544 08249f51c58a', 'server', 'why:http-with-sse', 'two endpoints, and the event that names the second']
]
