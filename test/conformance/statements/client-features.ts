/** Statements about what clients offer: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const CLIENT_FEATURES: readonly StatementRow[] = [
  // 2026-07-28 client/elicitation#user-interaction-model
  ['2e71ad4a6c60 eef1ab33b93f', 'server', 'why:asking-clients', 'nothing secret is asked for in a form'],
  ['49923de843bb e4ba12cdc291 a5efd1521f0d ea1872a6348e', 'client', 'why:inside-the-client', 'a person sees who asks, and can decline'],
  // 2026-07-28 client/elicitation#capabilities
  ['369979f96daf', 'client', 'profile:elicitation-undeclared profile:input-undeclared why:undeclared-capability', 'a client that answers declares it'],
  ['34357ac3a534', 'client', 'why:inside-the-client', 'at least one mode is supported'],
  ['c5ba14fd4ae1', 'server', 'input-mode', 'no mode that the client does not support'],
  // 2026-07-28 client/elicitation#elicitation-requests
  ['742c01476dbc', 'server', 'why:permission', 'a call may ask the person'],
  ['ec4bea876775', 'server', 'why:asking-clients', 'parameters of a question'],
  ['4d05a402254c', 'server', 'why:permission', 'the mode may be left out'],
  ['492d2ef3bf35', 'client', 'why:inside-the-client', 'without a mode it is a form'],
  // 2026-07-28 client/elicitation#form-mode-elicitation-requests
  ['c0b0b5203fa2', 'server', 'why:asking-clients', 'a form has its schema'],
  // 2026-07-28 client/elicitation#requested-schema
  ['7b950c7ab046', 'client', 'why:inside-the-client', 'forms begin with the defaults'],
  // 2026-07-28 client/elicitation#url-mode-elicitation-requests
  ['cff65a2e94e4 beecdf5c2745', 'server', 'why:asking-clients', 'a question with an address has a valid one'],
  // 2026-07-28 client/elicitation#example-request-sensitive-data
  ['65c6576fcc6b', 'client', 'why:inside-the-client', 'a person can try again or cancel'],
  // 2026-07-28 client/elicitation#statefulness
  ['7913c76b9217 2caadc4dfb20 406bebbcd7c6', 'server', 'why:asking-clients', 'what is kept belongs to one person'],
  // 2026-07-28 client/elicitation#url-mode-elicitation-for-oauth-flows
  ['5b0a6dc8fbed', 'server', 'why:asking-clients', 'questions are no way to sign in'],
  // 2026-07-28 client/elicitation#understanding-the-distinction
  ['7948ce5e5387 1e3a40dccac7 b21eea189dbb 3e1e938e474c', 'server', 'why:asking-clients', 'credentials of third parties stay away from the client'],
  // 2026-07-28 client/elicitation#error-handling
  ['ebf25383e39f', 'server', 'question-refused', 'a refusal is handled'],
  // 2026-07-28 client/elicitation#security-considerations
  ['f9b42caed06c', 'server', 'mrtr-state-bound question-own-answer', 'a question is bound to client and person'],
  ['4c2ecbac63bc 8195e521d65a faed6489e300 5d1f9fa40aaf', 'client', 'why:inside-the-client', 'a person sees who asks what, approves or declines'],
  // 2026-07-28 client/elicitation#safe-url-handling
  ['f8a761e7b439 71d60e3ba841 5546ccfa50c7 803fc92a4eb6', 'server', 'why:asking-clients', 'addresses that are sent'],
  ['ea4f91648df7 2a730b2e6657 64109bdc8ad3 051ed2a5aff1 332bfefa1fd5 76823f53ded2 90254ac02df8 5dd08f2fc7ab', 'client', 'why:inside-the-client', 'addresses are shown and opened with care'],
  // 2026-07-28 client/elicitation#identifying-the-user
  ['99905e14ee21 eab2d4da83e4', 'server', 'oauth-token-validated question-own-answer', 'who a client says it is counts for nothing'],
  // 2026-07-28 client/elicitation#form-mode-security
  ['ec81f1a3160b', 'server', 'why:asking-clients', 'nothing secret is asked for in a form'],
  ['6e13548763a7', 'client', 'why:inside-the-client', 'answers fit the schema'],
  ['af029a46ff4e', 'server', 'why:answer-contents', 'answers are compared with the schema'],
  // 2026-07-28 client/elicitation#phishing
  ['2b32cd8be146 f184220ad028 bd5e3240dce0', 'server', 'why:asking-clients', 'who opens an address is who was asked'],
  // 2026-07-28 client/roots#
  ['56fca963d3a4', 'both', 'why:asking-clients', 'roots are not to be adopted'],
  // 2026-07-28 client/roots#capabilities
  ['f46c7b9b604b', 'client', 'profile:roots-undeclared profile:input-undeclared why:undeclared-capability', 'a client that has roots declares it'],
  // 2026-07-28 client/roots#root
  ['fc48da58f810 ab91acf4701d 3a3ef2438b92 ecc4684f13f4 65e346513cf4', 'client', 'why:inside-the-client', 'which roots are shown'],
  // 2026-07-28 client/roots#security-considerations
  ['532b3d1939f8 19e245588499 80ff386346d7', 'server', 'why:asking-clients', 'roots are respected'],
  // 2026-07-28 client/roots#implementation-guidelines
  ['b25c692ec271 d6a00c6b65a7 3dcd988bba4d 585425a1ca07', 'client', 'why:inside-the-client', 'roots are managed by a person'],
  ['aee609867304', 'server', 'question-capable mrtr-capable', 'nobody is asked for roots who did not declare them'],
  ['6e92e054d483 d0bbb822a187', 'server', 'why:asking-clients', 'roots are respected and kept'],
  // 2026-07-28 client/sampling#
  ['77e5b8b899bd', 'both', 'why:asking-clients', 'sampling is not to be adopted'],
  // 2026-07-28 client/sampling#user-interaction-model
  ['0bca82e327a7 9a9025d7c011 904d66f66137 1a960bb92504', 'host', 'why:inside-the-client', 'a person is in the loop'],
  // 2026-07-28 client/sampling#tools-in-sampling
  ['b1dcb2bf0b19', 'client', 'why:inside-the-client', 'tools in sampling are declared'],
  ['73eaa7915854', 'server', 'input-mode', 'no tools in sampling for a client that did not declare them'],
  // 2026-07-28 client/sampling#capabilities
  ['06f46d30191e', 'client', 'profile:sampling-undeclared profile:input-undeclared why:undeclared-capability', 'a client that samples declares it'],
  ['cfe4c0e9ab44', 'server', 'why:asking-clients', 'no context of other servers'],
  // 2026-07-28 client/sampling#tool-result-messages
  ['f40ab3c6c76a b6cbc34e3d0d', 'server', 'why:asking-clients', 'results of tools follow their uses'],
  // 2026-07-28 client/sampling#tool-choice-modes
  ['6de793b39901 7052e4cc6916', 'client', 'why:inside-the-client', 'the choice of tools is obeyed'],
  // 2026-07-28 client/sampling#parallel-tool-use
  ['c20084a42e3a', 'both', 'why:permission', 'parallel tools may be switched off'],
  // 2026-07-28 client/sampling#messages
  ['8dd5eb12fd80', 'server', 'why:asking-clients', 'messages have a role and a content'],
  ['d766620cde44', 'client', 'why:inside-the-client', 'messages are not kept'],
  // 2026-07-28 client/sampling#model-hints
  ['5a828ba5f8d7', 'client', 'why:permission', 'hints may be mapped'],
  // 2026-07-28 client/sampling#system-prompt
  ['33ca7ce370f7', 'client', 'why:permission', 'the system prompt may be changed'],
  // 2026-07-28 client/sampling#sampling-parameters
  ['b81cefc75771', 'client', 'why:inside-the-client', 'the largest number of tokens is obeyed'],
  ['81f54c070e2e', 'client', 'why:permission', 'other parameters may be changed'],
  // 2026-07-28 client/sampling#result-fields
  ['d3e8d21e521f c69cc01ce0e5 ce2dd71e4ac9 5d3df95c4986', 'client', 'why:permission', 'reasons to stop'],
  // 2026-07-28 client/sampling#security-considerations
  ['3a8173097aac', 'both', 'input-responses why:inside-the-client', 'contents are validated'],
  ['33cc7b8b94ac f39407f243d1', 'client', 'why:inside-the-client', 'hints are respected, sampling is limited'],
  ['6d7b374e046e', 'both', 'why:asking-clients', 'sensitive data is handled with care'],
  ['ac2f032a5090', 'server', 'why:asking-clients', 'results of tools follow their uses'],
  ['aa3ebc33b849', 'both', 'why:asking-clients', 'loops of tools are limited'],
  // 2025-11-25 client/elicitation#capabilities
  ['4287a96e352d', 'client', 'profile:elicitation-undeclared why:undeclared-capability', 'a client that answers declares it'],
  // 2025-11-25 client/elicitation#completion-notifications-for-url-mode-elicitation
  ['f5e3125ad8a0 cc0f5fae2ffe a91a9aa1c782', 'server', 'why:asking-clients', 'a notification after an address was visited'],
  ['7194303a3fbd 0646294efc23 9dbbb284e597', 'client', 'why:inside-the-client', 'what a client does with it'],
  // 2025-11-25 client/elicitation#url-elicitation-required-error
  ['7d1928562845', 'server', 'why:permission', 'a call may need an address to be visited'],
  ['51a644f8eb05', 'server', 'codes-reserved why:asking-clients', 'that error is for nothing else'],
  ['bc3ff09f2401 b29ba44289de', 'server', 'why:asking-clients', 'it has the addresses'],
  // 2025-11-25 client/elicitation#statefulness
  ['b2457d7d6ffd ad4074e0b523', 'server', 'why:asking-clients', 'what is kept belongs to one person'],
  // 2025-11-25 client/elicitation#error-handling
  ['2be60a2d446d', 'server', 'why:asking-clients', '-32042 for it'],
  ['42b442d47ca2', 'client', 'why:undeclared-capability', 'a mode that was not declared: -32602'],
  // 2025-11-25 client/elicitation#safe-url-handling
  ['47120b222064', 'server', 'why:asking-clients', 'nothing secret is in an address'],
  // 2025-11-25 client/roots#capabilities
  ['81878bec0dd0', 'client', 'rule:notification-undeclared profile:roots-undeclared', 'a client that has roots declares it'],
  // 2025-11-25 client/roots#root-list-changes
  ['fa8b5abf84e4', 'client', 'why:same-messages', 'changes of roots are told'],
  // 2025-11-25 client/roots#error-handling
  ['131dbc725133', 'client', 'profile:roots-undeclared why:undeclared-capability', 'without roots: -32601'],
  ['4b03b9854436', 'client', 'why:inside-the-client', 'faults of the client: -32603'],
  // 2025-11-25 client/roots#implementation-guidelines
  ['e8f9e02623db', 'server', 'why:asking-clients', 'changes of roots are handled'],
  // 2025-11-25 client/sampling#capabilities
  ['971ee6c3c136', 'client', 'profile:sampling-undeclared why:undeclared-capability', 'a client that samples declares it'],
  // 2025-11-25 client/sampling#error-handling
  ['49d86e1e8ffa', 'client', 'profile:sampling why:inside-the-client', 'a refusal of the person: -1'],
  ['632bb5c01a76 be8c26fd4d40', 'client', 'why:inside-the-client', 'wrong results of tools: -32602'],
  // 2025-06-18 client/elicitation#user-interaction-model
  ['9f2a5fc5e3d4', 'server', 'why:asking-clients', 'nothing secret is asked for'],
  ['72bb4721b7ea bf8ca9e69f82 cb6e14121600', 'host', 'why:inside-the-client', 'a person sees who asks, can review and decline'],
  // 2025-06-18 client/elicitation#security-considerations
  ['d97c8605a723', 'server', 'why:asking-clients', 'nothing secret is asked for'],
  ['bf698905b214', 'both', 'why:answer-contents', 'answers are compared with the schema'],
  ['7e5bfade6fee', 'client', 'why:inside-the-client', 'a person sees who asks'],
  // 2025-06-18 client/sampling#error-handling
  ['09bc14aed2b0', 'client', 'profile:sampling why:inside-the-client', 'refusals are errors']
]
