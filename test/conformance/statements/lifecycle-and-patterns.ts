/** Statements about lifecycle, versions, patterns and utilities: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const LIFECYCLE_AND_PATTERNS: readonly StatementRow[] = [
  // 2026-07-28 basic/patterns/cancellation#
  ['3c098d944081', 'client', 'why:same-messages', 'a request that is no longer wanted is cancelled'],
  ['acdf9d65960b', 'server', 'cancelled-teardown', 'a subscription that the server ends is cancelled by a notification'],
  ['7752dab40cac', 'server', 'cancelled-only-subscriptions', 'the server cancels nothing else'],
  // 2026-07-28 basic/patterns/cancellation#transport-specific-cancellation
  ['bdb8a7a18c8a', 'server', 'disconnect-cancels', 'a client that goes away has cancelled'],
  ['19edd164929f', 'client', 'why:stdio', 'over stdio a notification cancels'],
  // 2026-07-28 basic/patterns/cancellation#timeouts
  ['15d5112ea351', 'both', 'why:time-limits', 'requests have time limits'],
  ['bdcb6c62dbfc', 'client', 'why:time-limits', 'after the time limit the request is cancelled'],
  ['5f5cec47e87c', 'both', 'why:inside-the-client', 'time limits can be set for each request'],
  ['25934fdde989', 'both', 'why:permission', 'progress may start the time limit anew'],
  ['1c09590537b5', 'both', 'why:time-limits', 'there is a largest time limit'],
  // 2026-07-28 basic/patterns/cancellation#behavior-requirements
  ['167771c304e2', 'client', 'profile:cancel-unknown why:same-messages', 'only own requests are cancelled'],
  ['54bb01d0b894', 'both', 'cancelled-only-subscriptions why:same-messages', 'only requests under way are cancelled'],
  ['d0e37f0217ce', 'server', 'cancelled-only-subscriptions', 'the server cancels subscriptions only'],
  ['ab25034c18dc 9b557d231247', 'server', 'disconnect-cancels cancelled-stops', 'work that is cancelled stops, and what it held is free'],
  ['07ec87de421f', 'server', 'cancelled-stops', 'what is cancelled is not answered'],
  ['028f9d3e0d68 1f4459e26d91 94d7ecb9ab98', 'server', 'why:permission', 'a cancellation may be ignored'],
  ['cb561a40d059', 'client', 'why:inside-the-client', 'a late response is ignored'],
  // 2026-07-28 basic/patterns/cancellation#timing-considerations
  ['e4b80b6bf356', 'both', 'cancelled-ignored profile:ping-cancelled', 'races are handled'],
  // 2026-07-28 basic/patterns/cancellation#implementation-notes
  ['809610dc8087', 'both', 'why:cancellation-reason', 'the reason of a cancellation is logged'],
  ['349abd486fe7', 'host', 'why:inside-the-client', 'a cancellation is shown'],
  // 2026-07-28 basic/patterns/cancellation#error-handling
  ['7c79022afb9a 3a751107afff 5eb9b13ba242', 'both', 'cancelled-ignored profile:cancel-unknown', 'a cancellation that makes no sense is ignored'],
  // 2026-07-28 basic/patterns#
  ['0c4783e0635b', 'both', 'no-requests-out rule:response-in-modern', 'servers ask nothing by themselves, clients respond to nothing'],
  // 2026-07-28 basic/patterns#request-and-response
  ['8b47e7a73a62', 'server', 'why:permission', 'notifications of a request may come before its response'],
  // 2026-07-28 basic/patterns/mrtr#
  ['157113fbe986', 'server', 'mrtr-only', 'clients are asked by results'],
  ['8b76c9e31497', 'client', 'rule:meta-incomplete', 'each request has its metadata'],
  // 2026-07-28 basic/patterns/mrtr#inputrequiredresult
  ['e418e52cb52f', 'client', 'rule:request-state-not-echoed', 'a request state is opaque'],
  // 2026-07-28 basic/patterns/mrtr#supported-requests
  ['755a97941bc3', 'server', 'why:permission', 'requests that may be answered by a question'],
  ['b5e319d908c6', 'server', 'input-methods', 'no others are'],
  // 2026-07-28 basic/patterns/mrtr#server-requirements-basic-workflow
  ['434f246f8fd2 3b4b724b4b82', 'server', 'why:permission', 'any of them, with questions'],
  ['180ad477074b', 'server', 'input-keys', 'keys of questions are unique'],
  ['f6f0ba07d8d9', 'server', 'input-keys', 'questions are of three kinds'],
  ['f466b65a32b5', 'server', 'why:permission', 'with a state'],
  ['ab5de839a8af', 'server', 'mrtr-state-protected', 'a state that comes back is taken for an attack'],
  ['32683b25a6d9', 'server', 'mrtr-state-protected', 'its integrity is protected'],
  ['cb30ac67e49d', 'server', 'why:permission', 'when protection may be left out'],
  ['2cf8a0b9dd82', 'server', 'mrtr-state-bound', 'a state belongs to its caller'],
  ['8a3fcee2d9de', 'server', 'mrtr-state-bound', 'it expires'],
  ['e08d6b9e7528', 'server', 'mrtr-state-bound', 'it belongs to its request'],
  ['5aea56b7e294', 'server', 'why:single-use', 'a state for one use is enforced'],
  ['29fa18aab122', 'server', 'mrtr-something', 'it asks something or has a state'],
  ['ffeb7f6caee8', 'server', 'mrtr-capable input-mode', 'nothing is asked that was not declared'],
  ['1243424e073b', 'server', 'mrtr-capable', 'no elicitation without the capability'],
  ['8f784eb6c639', 'server', 'mrtr-only', 'a client may never come back'],
  ['f7e40649d2a0', 'server', 'why:permission', 'it may be asked several times'],
  // 2026-07-28 basic/patterns/mrtr#client-requirements-basic-workflow
  ['182706f5f179', 'client', 'rule:input-missing rule:input-required-ignored profile:input-required', 'what is asked is answered in the retry'],
  ['7b69659b77a9', 'client', 'why:permission', 'a state alone may be sent back at once'],
  ['b7e31a926fdc', 'client', 'rule:request-state-not-echoed profile:input-required', 'the state comes back as it was'],
  ['3ade6b1eaf17', 'client', 'rule:request-state-not-echoed', 'a request state is opaque'],
  ['428c3d2c3290', 'client', 'rule:request-state-elsewhere profile:input-required-stateless', 'no state where none was given'],
  ['ec1690040c8d', 'client', 'rule:retry-id-reused', 'a retry has another id'],
  ['5493ca47b982', 'client', 'rule:request-state-elsewhere', 'answers belong to one request'],
  // 2026-07-28 basic/patterns/mrtr#error-handling
  ['7d9007ecb892', 'server', 'mrtr-again input-responses', 'answers are validated'],
  ['57cbec03c37f', 'server', 'input-responses', 'what is malformed is an error of the protocol'],
  ['34bcb8508844', 'server', 'mrtr-extra', 'more answers than were asked for are ignored'],
  ['1e977c072e2f', 'server', 'mrtr-again', 'what is missing is asked again'],
  // 2026-07-28 basic/patterns/mrtr#security-considerations
  ['e69b13f402c5', 'server', 'mrtr-state-protected mrtr-state-bound', 'states are validated'],
  // 2026-07-28 basic/patterns/progress#
  ['e741f9b6f364', 'server', 'why:permission', 'progress may be told'],
  // 2026-07-28 basic/patterns/progress#progress-flow
  ['5751def080f1', 'client', 'progress-token rule:progress-token-type', 'a progress token is a string or an integer'],
  ['38bf4ce5b9d4', 'client', 'why:overlapping-requests', 'a progress token is unique among active requests'],
  ['206ca5a59707 82abe498704b 272c8e18ada6 42ee71270cc6', 'server', 'why:permission', 'what progress may have'],
  ['bda3ba1eba8b', 'server', 'progress-grows profile:progress-backwards', 'progress grows'],
  ['053361b55ab9', 'server', 'why:permission', 'progress may be a fraction'],
  ['5a83f9c8edd8', 'server', 'why:progress-texts', 'the message is readable'],
  // 2026-07-28 basic/patterns/progress#behavior-requirements
  ['2c4e7a3f7c49', 'server', 'progress-asked profile:progress-unknown-token', 'only under the token of a request'],
  ['7e506d0a7eae', 'server', 'progress-over', 'only while the request is under way'],
  ['b08d68a126ee ab74e1e70f94 80e5bbe1cc54', 'server', 'why:permission', 'no progress, seldom progress, no total'],
  // 2026-07-28 basic/patterns/progress#implementation-notes
  ['8b3a046f8b22', 'both', 'progress-asked why:inside-the-client', 'tokens under way are tracked'],
  ['551245d918e7', 'both', 'why:progress-rate', 'progress is limited'],
  ['961da39658b6', 'server', 'progress-over', 'progress ends with the response'],
  // 2026-07-28 basic/patterns/subscriptions#opening-a-stream
  ['e435928e4030', 'server', 'listen-only-asked', 'nothing is told that was not asked for'],
  // 2026-07-28 basic/patterns/subscriptions#acknowledgment
  ['0d729aa3d169', 'server', 'listen-acknowledged', 'the acknowledgment comes first'],
  ['1d2142d979ce', 'server', 'why:stdio', 'subscriptions may be interleaved'],
  ['2036d1bcd0e9', 'client', 'why:inside-the-client', 'the acknowledgment is compared with the request'],
  // 2026-07-28 basic/patterns/subscriptions#receiving-notifications
  ['bc3c15e18562', 'client', 'why:stdio', 'notifications are told apart by their subscription'],
  // 2026-07-28 basic/patterns/subscriptions#multiple-concurrent-subscriptions
  ['27e0f62cf345', 'client', 'why:permission', 'several subscriptions at a time'],
  // 2026-07-28 basic/patterns/subscriptions#cancellation
  ['da8cc41ec2bd 6aec1ef6d00a', 'server', 'listen-graceful', 'a subscription that the server ends is answered'],
  // 2026-07-28 basic/patterns/subscriptions#graceful-closure
  ['97eb067fcea6', 'client', 'why:permission', 'when to connect again'],
  ['ca3ee92eb753', 'client', 'why:stdio', 'subscriptions are sent again'],
  // 2026-07-28 basic/versioning#protocol-version-negotiation
  ['0b4bd5860737', 'server', 'version-unsupported', 'another version is refused with those that are served'],
  ['1673910834fb', 'client', 'rule:version-not-negotiated profile:version-unsupported', 'a version that both know is chosen, or an error shown'],
  ['58a5b9fb170a', 'server', 'discover', 'server/discover is there'],
  ['ae25856a4d75', 'client', 'why:permission', 'a client may ask before anything else'],
  // 2026-07-28 basic/versioning#extension-negotiation
  ['f41a465247ad', 'other', 'meta-names', 'names of extensions have a prefix'],
  ['3017ff890108', 'both', 'extension-fallback rule:capability-undeclared', 'without the extension of the other side the core protocol is spoken'],
  ['8a41b07b6282', 'other', 'why:other-parties', 'extensions document what happens without them'],
  // 2026-07-28 basic/versioning#backward-compatibility-with-initialization-based-versions
  ['22881c4de237', 'server', 'why:permission', 'both eras may be served'],
  ['e354606492ef', 'client', 'why:inside-the-client', 'what was found out is kept'],
  ['547c7b75decc', 'server', 'version-named-to-legacy', 'an answer to the handshake names the versions'],
  // 2026-07-28 basic/versioning#compatibility-matrix
  ['5b791ce33588', 'client', 'why:stdio', 'over stdio server/discover goes first'],
  ['fc959fe5c9d9', 'server', 'why:permission', 'both eras at one address'],
  // 2025-11-25 basic/lifecycle#initialization
  ['83987be4d5aa', 'both', 'initialize-first rule:before-handshake', 'the handshake comes first'],
  ['9e41566148e4 bc29210147d1 0868cbf3323e', 'client', 'rule:initialize-incomplete', 'it has version, capabilities and identity'],
  ['f65a1a0eb336', 'server', 'initialize-answer', 'it is answered with capabilities and identity'],
  ['da9b94f800e6', 'client', 'rule:initialized-missing', 'nothing but pings before the answer'],
  ['d6f9fe53905a', 'server', 'why:initialized-client', 'no requests of the server before the client is ready'],
  ['252580eb8fe2', 'client', 'rule:initialized-missing', 'the client says that it is ready'],
  // 2025-11-25 basic/lifecycle#version-negotiation
  ['e9dfaf4f15e5', 'client', 'rule:initialize-incomplete', 'a version is sent'],
  ['6d5ab57d5e1b', 'client', 'why:inside-the-client', 'the latest'],
  ['ea8372b9471d', 'server', 'version-same', 'a version that is served is agreed to'],
  ['1a8216f8855e b402235a0337', 'server', 'version-other', 'for another one the latest that is served'],
  ['30861111a535', 'client', 'profile:revision-unknown profile:revision-older', 'a client that cannot speak it disconnects'],
  ['c0149d2f768d', 'client', 'rule:protocol-version-missing', 'each request has the version in a header'],
  // 2025-11-25 basic/lifecycle#operation
  ['ca965cfc2773', 'both', 'older-shapes older-contents rule:protocol-version-mismatch', 'the version that was agreed on is spoken'],
  ['bac8a584060d', 'both', 'capabilities-kept question-capable rule:method-unknown rule:response-undeclared', 'only what was declared is used'],
  // 2025-11-25 basic/lifecycle#stdio
  ['ad20fa8149e3 ea5a7bf71ef1 d042fd460c94', 'client', 'why:stdio', 'how a process is ended'],
  // 2025-11-25 basic/lifecycle#timeouts
  ['a295b4a1ef0f', 'client', 'why:time-limits', 'after the time limit the request is cancelled'],
  // 2025-11-25 basic/lifecycle#error-handling
  ['c7dcdf1507f5', 'both', 'version-other profile:revision-unknown', 'a version that is not known is handled'],
  ['17aff2e15f86', 'both', 'question-capable profile:sampling-undeclared', 'a capability that is missing is handled'],
  ['432f5be79683', 'both', 'why:time-limits', 'time limits are handled'],
  // 2025-11-25 basic/utilities/cancellation#behavior-requirements
  ['4e66efe7e4da', 'both', 'cancelled-ignored profile:cancel-unknown why:same-messages', 'only requests of the same direction are cancelled'],
  ['efbda0495748', 'client', 'rule:initialize-cancelled', 'the handshake is not cancelled'],
  ['865882ef7c89', 'client', 'why:experimental-tasks', 'tasks are cancelled by their own method'],
  ['da1e48f82ce3 646fd98d8056', 'both', 'cancelled-stops profile:ping-cancelled', 'work that is cancelled stops, and what it held is free'],
  ['cfceaa738985', 'both', 'cancelled-stops profile:ping-cancelled', 'what is cancelled is not answered'],
  ['cb59eeebbcff 689ce72f3afa be40abdf74b4', 'both', 'why:permission', 'a cancellation may be ignored'],
  ['1533ae1e0e36', 'both', 'why:inside-the-client', 'a late response is ignored'],
  // 2025-11-25 basic/utilities/ping#behavior-requirements
  ['18d7f410c5b5', 'both', 'ping-empty profile:ping-during-call profile:two-pings', 'a ping is answered at once, with nothing'],
  ['dc775efb2f90 ecb0aa72e1dd f4e39a3154fa', 'both', 'why:permission', 'what follows when no answer comes'],
  // 2025-11-25 basic/utilities/ping#implementation-considerations
  ['5ba99b9c5b93 badb43725760 39ce2b5a1fdb 4d57321eba88', 'both', 'why:server-pings', 'pings are sent from time to time'],
  // 2025-11-25 basic/utilities/ping#error-handling
  ['9a743ed292e1', 'both', 'why:server-pings', 'no answer is a lost connection'],
  ['11df640684ad', 'both', 'why:permission', 'several of them may end the connection'],
  ['4dada3922111', 'both', 'why:server-pings', 'they are logged'],
  // 2025-11-25 basic/utilities/progress#progress-flow
  ['f5f6c8c73e0c', 'both', 'question-own-answer rule:progress-token-reused', 'a progress token is unique among active requests'],
  ['8857d3d27238 9bf22337fbdf 910b8cccb01c ffab14dac18d', 'both', 'why:permission', 'what progress may have'],
  // 2025-11-25 basic/utilities/progress#behavior-requirements
  ['ca31b0497107 203f9a110d09 a66119ba1699', 'both', 'why:permission', 'no progress, seldom progress, no total'],
  ['f366c805e765 0890cf38b220 5ae28e90858f', 'both', 'why:experimental-tasks', 'progress of tasks'],
  // 2025-11-25 basic/utilities/progress#implementation-notes
  ['34859cb99698', 'both', 'progress-asked why:inside-the-client', 'tokens under way are tracked'],
  // 2025-03-26 basic/lifecycle#initialization
  ['f87ff2ab31ec', 'client', 'batch-no-initialize why:batches-to-clients', 'the handshake is no part of a batch'],
  // 2025-03-26 basic/lifecycle#operation
  ['18e688fb4457', 'both', 'older-shapes rule:protocol-version-mismatch', 'the version that was agreed on is spoken'],
  ['4373975f9357', 'both', 'capabilities-kept question-capable rule:method-unknown rule:response-undeclared', 'only what was declared is used'],
  // 2024-11-05 basic/lifecycle#error-handling
  ['bea12333adbb 4acc9561cd98 37923f9fbf99', 'both', 'why:time-limits', 'time limits are handled']
]
