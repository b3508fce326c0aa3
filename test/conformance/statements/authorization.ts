/** Statements about authorization: who is bound, and what watches them. */
import type { StatementRow } from './statement-row.js'

export const AUTHORIZATION: readonly StatementRow[] = [
  // 2026-07-28 basic/authorization/authorization-server-discovery#authorization-server-location
  ['cfc83a130bd4', 'server', 'oauth-resource-metadata', 'the resource has metadata that names its authorization servers'],
  ['73feec1c0bbf', 'server', 'oauth-authorization-servers', 'the metadata names at least one authorization server'],
  ['1ad27f9c6c83', 'client', 'why:authorization-traffic', 'registrations and tokens are kept apart by authorization server'],
  // 2026-07-28 basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
  ['9af5507c3665', 'server', 'oauth-resource-metadata-address', 'way 1: the challenge of a 401 has the address of the metadata'],
  ['26cca9ba0b4d', 'server', 'oauth-resource-metadata-address', 'way 2: the metadata is at a well-known address'],
  ['a136d5e22451', 'server', 'oauth-resource-metadata-address', 'well-known address with the path of the endpoint'],
  ['5eb2c8ef7451', 'server', 'why:another-way', 'well-known address at the root'],
  ['9807dec0222e', 'client', 'why:authorization-traffic', 'the address in the challenge is tried first, then the well-known ones'],
  ['69aa710ccfef', 'client', 'profile:credential-revoked', 'a 401 with its challenge is understood'],
  // 2026-07-28 basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
  ['5827bf20fcad 11a5e36cd3c9 dc08325663bf 1c6867d84c42 ae5df4f2b81b 9169d458b8e8', 'client', 'why:authorization-traffic', 'each well-known form of the metadata of an authorization server is tried in order'],
  ['d1660e0c445f d0ee65986da1 0caec207edc9', 'client', 'why:authorization-traffic', 'metadata with another issuer is not used'],
  // 2026-07-28 basic/authorization/client-registration#
  ['bd6e8b221935 8acc5a238ece be27a5a981e5 72f47fa35f11', 'client', 'why:authorization-traffic', 'order of the ways to register'],
  // 2026-07-28 basic/authorization/client-registration#client-id-metadata-documents
  ['fd3c6c55ef75', 'as, client', 'oauth-documents why:authorization-traffic', 'documents at an address are a way to register'],
  // 2026-07-28 basic/authorization/client-registration#implementation-requirements
  ['dd6721b8ee3a', 'as, client', 'oauth-document-fetched oauth-document-id why:authorization-traffic', 'the draft of client documents is followed'],
  ['96d72a4b80d8 fd8a01a80778', 'client', 'oauth-document-draft why:authorization-traffic', 'a document has an https address with a path'],
  ['fb5c1edfc565', 'client', 'oauth-document-fields why:authorization-traffic', 'a document has id, name and redirect addresses'],
  ['5d96e53045bb', 'client', 'oauth-document-id why:authorization-traffic', 'the id in a document is its own address'],
  ['18673cce1e31', 'client', 'why:authorization-traffic', 'a client may sign its token requests'],
  ['d06ed28ddaf4', 'as', 'oauth-document-fetched', 'the document of an id that is an address is fetched'],
  ['f4d910b3b318', 'as', 'oauth-document-id', 'the id in the fetched document is the address'],
  ['796b740fc4e2', 'as', 'oauth-document-cached', 'documents are cached as their headers say'],
  ['65f82ebc94f4', 'as', 'oauth-document-redirects', 'redirect addresses are compared with those of the document'],
  ['9585b85eaf8d', 'as', 'oauth-document-fields', 'a document without the required fields is refused'],
  ['1503a28503ed', 'as', 'oauth-document-section-6', 'security considerations of the draft'],
  // 2026-07-28 basic/authorization/client-registration#advertising-cimd-support
  ['36902a5c321a', 'client', 'why:authorization-traffic', 'support for documents is looked up, with other ways as fallback'],
  // 2026-07-28 basic/authorization/client-registration#pre-registration
  ['d4cde47b1b6f', 'client', 'why:authorization-traffic', 'credentials from elsewhere can be configured'],
  // 2026-07-28 basic/authorization/client-registration#dynamic-client-registration
  ['970b28ad7268', 'both', 'oauth-registration why:permission', 'a client may register itself'],
  // 2026-07-28 basic/authorization/client-registration#application-type-and-redirect-uri-constraints
  ['cc4a1787c801 8794434dc09b a58ff1892623 fdea1d8b0127 9be1d4abdcfe 44e25160f9d3', 'client', 'why:authorization-traffic', 'application type and redirect addresses at registration'],
  // 2026-07-28 basic/authorization/client-registration#authorization-server-binding
  ['0176c8f5c97e 0ac6041e0768 64e735fbf210', 'client', 'why:authorization-traffic', 'credentials belong to the authorization server that issued them'],
  // 2026-07-28 basic/authorization#protocol-requirements
  ['f7be6092b40b', 'both', 'why:permission', 'authorization is optional'],
  ['40a7c0353a68', 'both', 'oauth-conforms why:authorization-traffic', 'over HTTP, authorization is that of the specification'],
  ['925448b138ff', 'both', 'why:stdio', 'over stdio, credentials come from the environment'],
  ['ba520e75d110', 'both', 'why:other-transports', 'other transports follow the good practice of their protocol'],
  // 2026-07-28 basic/authorization#overview
  ['1d19f0d77479', 'as', 'oauth-client-types', 'OAuth 2.1 for clients with and without a secret'],
  ['d209b9057e8d', 'as, client', 'oauth-documents why:authorization-traffic', 'documents at an address are a way to register'],
  ['d949a1174601', 'as, client', 'oauth-registration why:permission', 'registration by request is a way to register'],
  ['e9aa8c340691', 'server', 'oauth-resource-metadata', 'the resource has metadata'],
  ['5612805387ea', 'client', 'why:authorization-traffic', 'clients find the authorization server by the metadata of the resource'],
  ['64e444ed6cb5', 'as', 'oauth-server-metadata', 'metadata of the authorization server by RFC 8414'],
  ['c7c366140396', 'as', 'oauth-server-metadata', 'metadata of the authorization server by OpenID discovery'],
  ['5e2bc0ab3af8', 'client', 'why:authorization-traffic', 'both forms of the metadata are tried'],
  // 2026-07-28 basic/authorization#authorization-server-discovery
  ['45328d29aeea', 'both', 'oauth-discovery why:authorization-traffic', 'discovery as its own page defines'],
  // 2026-07-28 basic/authorization#client-registration
  ['3d645e0ca462', 'client', 'why:authorization-traffic', 'a client id comes by one of three ways'],
  // 2026-07-28 basic/authorization#scope-selection-strategy
  ['105718ac46c6', 'server', 'oauth-challenge-scope', 'a challenge names the scope that is needed'],
  ['cb5d9947c4af', 'server', 'why:permission', 'the scopes of a challenge and those of the metadata may differ'],
  ['373f31b34379 c599c9eb2ed5 d49acf76c929', 'client', 'why:authorization-traffic', 'the scopes of a challenge are what is asked for'],
  ['737cce3baf99', 'server', 'oauth-scope-consistent', 'scopes are built the same way each time'],
  ['3a12f191846f 8e8cbd3d13f8 bbd89d814c61', 'client', 'why:authorization-traffic', 'which scopes a client asks for'],
  // 2026-07-28 basic/authorization#authorization-response-validation
  ['2fe6d7b4e9f2', 'client', 'why:authorization-traffic', 'the issuer is noted with the request'],
  ['86ad3635df89', 'as', 'oauth-iss', 'responses name their issuer, errors too'],
  ['700f20e74620', 'as', 'oauth-iss-advertised', 'the metadata says that responses name their issuer'],
  ['837692525cc6', 'client', 'why:authorization-traffic', 'the issuer in the response is compared before the code is used'],
  ['bf4d699612f0', 'both', 'why:repetition', 'announces that a level may change'],
  ['69a46e945051 c3b0b2e23fb1', 'client', 'why:authorization-traffic', 'issuers are compared letter by letter, for errors too'],
  // 2026-07-28 basic/authorization#resource-parameter-implementation
  ['e6b4960aa754 99197d83d156 151b431b1544 2488fa46646e c122ff9afc6b', 'client', 'oauth-resource-bound why:authorization-traffic', 'the resource is named in both requests, by its canonical address'],
  // 2026-07-28 basic/authorization#canonical-server-uri
  ['dc965f10e716', 'server', 'oauth-resource-case', 'scheme and host in upper case are accepted'],
  ['26be4fd3135e', 'both', 'oauth-resource-slash why:authorization-traffic', 'the form without a slash at the end is used'],
  ['b83464df2d17', 'client', 'why:authorization-traffic', 'the resource is named whatever the authorization server supports'],
  // 2026-07-28 basic/authorization#token-requirements
  ['4ab4662d8d5a', 'client', 'rule:authorization-lost', 'tokens are used as OAuth 2.1 says'],
  ['83fe99341751', 'client', 'rule:authorization-lost', 'the token is in the Authorization header'],
  ['a4817798682e', 'client', 'rule:authorization-lost', 'each request has the token'],
  ['905940e9098f', 'client', 'oauth-no-query-token why:authorization-traffic', 'no token is in the query'],
  // 2026-07-28 basic/authorization#token-handling
  ['d57bf66d4a8e', 'server', 'oauth-token-validated', 'tokens are validated'],
  ['8f44e34c96fe', 'server', 'oauth-audience', 'tokens are for this resource'],
  ['50f3389e2251', 'server', 'oauth-error-codes', 'refusals have the form of OAuth 2.1'],
  ['684b6f28d952', 'server', 'oauth-invalid-401', 'invalid or expired: 401'],
  ['4d96302b7dbe', 'client', 'why:authorization-traffic', 'no other token is sent to the server'],
  ['6cfabc5f8977', 'server', 'oauth-own-tokens', 'only tokens for this resource are accepted'],
  ['4a2e93e4ca48', 'server', 'oauth-no-other-tokens', 'other tokens are neither accepted nor passed on'],
  // 2026-07-28 basic/authorization#refresh-tokens
  ['babb2bb45e0c ac4db367f71a fd0e35d460fd a3fa79c6f888', 'client', 'why:authorization-traffic', 'what a client does with refresh tokens'],
  ['a521c943f717', 'server', 'oauth-no-offline-access', 'offline_access is no scope of a resource'],
  // 2026-07-28 basic/authorization#error-handling
  ['a7b2675332cd', 'server', 'oauth-statuses', '401, 403 and 400 for errors of authorization'],
  // 2026-07-28 basic/authorization#runtime-insufficient-scope-errors
  ['b7f282e116a0', 'server', 'oauth-insufficient-scope', 'a token with too little scope: 403'],
  ['ce7cf805d179', 'server', 'oauth-insufficient-scope', 'with a challenge of the Bearer scheme'],
  ['011eb3643003', 'server', 'oauth-insufficient-scope', 'that names insufficient_scope'],
  ['8db9151a961b', 'server', 'oauth-insufficient-scope oauth-needed-scope', 'and the scope that is needed'],
  ['99db50b9847a', 'server', 'oauth-insufficient-scope', 'and the address of the metadata of the resource'],
  ['414a56456bb9', 'server', 'why:permission', 'and a description'],
  ['18fd15021951', 'server', 'oauth-needed-scope', 'the challenge has what the operation needs'],
  ['135117d3c805', 'server', 'oauth-one-challenge', 'everything that is needed is in one challenge'],
  ['337d695c963d', 'server', 'oauth-challenge-stable', 'the same strategy each time'],
  ['e985eb37d24f', 'server', 'oauth-insufficient-scope', 'scopes are chosen so that a person is seldom asked'],
  // 2026-07-28 basic/authorization#step-up-authorization-flow
  ['c83b27b3ac6b dccd3aa1edde 551ffb56b0ff d46b07cbd3ae 9a461e421179', 'client', 'why:authorization-traffic', 'asking for more scope after a refusal'],
  ['46da39db30f7', 'server', 'oauth-scope-hierarchy', 'a broader scope has the narrower one in it'],
  // 2026-07-28 basic/authorization#security-considerations
  ['edc95b688a22', 'both', 'oauth-security why:authorization-traffic', 'the security requirements are followed'],
  // 2026-07-28 basic/authorization/security-considerations#
  ['b427a25b59b8', 'both', 'why:repetition', 'introduces the security requirements'],
  ['66b1c460952f', 'both', 'oauth-security why:authorization-traffic', 'OAuth 2.1 section 7 is followed'],
  // 2026-07-28 basic/authorization/security-considerations#token-audience-binding-and-validation
  ['057e7db174e5', 'client', 'oauth-resource-bound why:authorization-traffic', 'the resource is named in both requests'],
  ['3c1ffd503d7c', 'server', 'oauth-audience', 'tokens are for this resource'],
  // 2026-07-28 basic/authorization/security-considerations#token-theft
  ['90c9f9c10806', 'both', 'oauth-token-storage why:inside-the-client', 'tokens are stored so that nobody reads them'],
  ['16a366bf2a97', 'as', 'oauth-short-lived', 'access tokens end soon'],
  ['6fa446bb80e7', 'as', 'oauth-rotation', 'refresh tokens of public clients are rotated'],
  // 2026-07-28 basic/authorization/security-considerations#communication-security
  ['a14353070acc', 'both', 'oauth-https why:authorization-traffic', 'communication is secured'],
  ['8e780cb2737b', 'as', 'oauth-https', 'the endpoints are https'],
  ['e4cd3548d460', 'as, client', 'oauth-redirect-https why:authorization-traffic', 'redirect addresses are https or localhost'],
  // 2026-07-28 basic/authorization/security-considerations#authorization-code-protection
  ['d8021cafa950 41149e29dc71 43ab50822815 6748031e23d9 f943f6b0749d e2d8afcb39ec', 'client', 'oauth-pkce why:authorization-traffic', 'PKCE by S256, after its support was looked up'],
  ['508cf6c832de', 'as', 'oauth-pkce-advertised', 'the OpenID document names the methods of PKCE'],
  // 2026-07-28 basic/authorization/security-considerations#open-redirection
  ['1032270336a3', 'client', 'oauth-redirect-exact why:authorization-traffic', 'redirect addresses are registered'],
  ['795cd4e303e3', 'as', 'oauth-redirect-exact', 'redirect addresses are compared exactly'],
  ['81735f5e411f', 'client', 'why:authorization-traffic', 'the state is verified'],
  ['9e206ab03b04', 'as', 'oauth-no-untrusted-redirect', 'nobody is sent to an untrusted address'],
  ['8341da6be97e', 'as', 'oauth-redirect-trusted', 'only trusted addresses are redirected to without asking'],
  ['fb7269e27269', 'as', 'oauth-loopback-warning', 'the person may be asked about an untrusted address'],
  // 2026-07-28 basic/authorization/security-considerations#client-id-metadata-document-security
  ['770e5295cfad', 'as', 'oauth-document-section-6', 'the security of documents is considered'],
  // 2026-07-28 basic/authorization/security-considerations#authorization-server-abuse-protection
  ['b9bcbd9c76e5', 'as', 'oauth-ssrf', 'no request to private addresses on behalf of a document'],
  // 2026-07-28 basic/authorization/security-considerations#localhost-redirect-uri-risks
  ['022f6a11aa5b', 'as', 'oauth-loopback-warning', 'redirects to the own machine are warned of'],
  ['9491b2e98253', 'as', 'why:permission', 'more attestation may be asked for'],
  ['99866fbbe00f', 'as', 'oauth-redirect-host-shown', 'the host of the redirect is shown'],
  // 2026-07-28 basic/authorization/security-considerations#trust-policies
  ['04b5d461785c', 'as', 'oauth-trust-policy', 'documents may be admitted by host'],
  // 2026-07-28 basic/authorization/security-considerations#confused-deputy-problem
  ['cdbb98d716a7', 'other', 'oauth-consent-per-client why:third-party-sign-in', 'a proxy asks for consent to each client'],
  // 2026-07-28 basic/authorization/security-considerations#access-token-privilege-restriction
  ['e05fa19dfe92', 'server', 'oauth-no-data', 'tokens are validated before anything is answered'],
  ['e20caeaf617e', 'server', 'oauth-token-validated', 'tokens are validated as OAuth 2.1 says'],
  ['f223d2c3eba9', 'server', 'oauth-own-tokens oauth-audience', 'tokens for others are refused'],
  ['db189ee0d235', 'server', 'oauth-no-other-tokens', 'no token is passed on'],
  ['1b3804ec1e1f', 'client', 'oauth-resource-bound why:authorization-traffic', 'the resource is named'],
  // 2025-11-25 basic/authorization#protected-resource-metadata-discovery-requirements
  ['8abb1aebe741 472af38e5068', 'client', 'why:authorization-traffic', 'the scopes of a challenge are what is asked for'],
  // 2025-11-25 basic/authorization#client-registration-approaches
  ['d91db40acb94 126452aafb3b 38231d948fda 9909b41e6ec0', 'client', 'why:authorization-traffic', 'order of the ways to register'],
  // 2025-11-25 basic/authorization#client-id-metadata-documents
  ['79784205b4a0', 'as, client', 'oauth-documents why:authorization-traffic', 'documents at an address are a way to register'],
  // 2025-11-25 basic/authorization#implementation-requirements
  ['d0fa1831e634', 'as', 'oauth-document-section-6', 'security considerations of the draft'],
  // 2025-11-25 basic/authorization#preregistration
  ['eba9dd842366', 'client', 'why:authorization-traffic', 'credentials from elsewhere can be configured'],
  // 2025-11-25 basic/authorization#token-requirements
  ['9d44b40a7403', 'client', 'rule:authorization-lost', 'each request has the token, also in a session'],
  // 2025-11-25 basic/authorization#runtime-insufficient-scope-errors
  ['601a39f1d926', 'server', 'oauth-needed-scope', 'the challenge has what the request needs'],
  // 2025-11-25 basic/authorization#security-considerations
  ['4da68c7b68fc', 'both', 'oauth-security why:authorization-traffic', 'OAuth 2.1 section 7 is followed'],
  // 2025-11-25 basic/authorization#trust-policies
  ['e858b8f25e7d', 'as', 'oauth-trust-policy', 'documents may be admitted by host'],
  ['0486a72a1ae7', 'as', 'oauth-trust-policy', 'or any of them'],
  ['f1ec877065ee 92769cafc654', 'as', 'why:permission', 'more rules for hosts'],
  ['a5486d49f7d8', 'as', 'oauth-redirect-host-shown', 'hosts are shown'],
  // 2025-06-18 basic/authorization#overview
  ['92a58c209636', 'as, client', 'oauth-registration why:authorization-traffic', 'registration by request is a way to register'],
  ['b334d199eca6', 'as', 'oauth-server-metadata', 'metadata of the authorization server by RFC 8414'],
  ['87564503d1b1', 'client', 'why:authorization-traffic', 'they are used'],
  // 2025-06-18 basic/authorization#authorization-server-location
  ['5e3223b0f7b9', 'server', 'oauth-resource-metadata-address', 'a 401 has the address of the metadata of the resource'],
  // 2025-06-18 basic/authorization#server-metadata-discovery
  ['36d64c487bab', 'client', 'why:authorization-traffic', 'metadata of the authorization server are used'],
  // 2025-06-18 basic/authorization#dynamic-client-registration
  ['317646b60541', 'as, client', 'oauth-registration why:authorization-traffic', 'registration by request is a way to register'],
  // 2025-06-18 basic/authorization#token-handling
  ['bd0a028b1eac', 'as', 'oauth-own-tokens', 'only own tokens are accepted'],
  // 2025-06-18 basic/authorization#authorization-code-protection
  ['30ca83d6d533', 'client', 'oauth-pkce why:authorization-traffic', 'PKCE'],
  // 2025-03-26 basic/authorization#overview
  ['e2b1acae72f4', 'as', 'oauth-client-types', 'OAuth 2.1 for clients with and without a secret'],
  ['c81187a8cc45', 'both', 'oauth-registration why:authorization-traffic', 'registration by request is a way to register'],
  ['ec5c3a14d80e', 'both', 'oauth-server-metadata why:authorization-traffic', 'metadata of the authorization server'],
  ['c3f6b77ab0cf', 'server', 'why:another-way', 'addresses of servers without metadata'],
  // 2025-03-26 basic/authorization#oauth-grant-types
  ['777734e15222', 'server', 'oauth-client-types', 'grants that fit who uses it'],
  // 2025-03-26 basic/authorization#example-authorization-code-grant
  ['09010fa42ee7', 'server', 'oauth-statuses', 'without authorization: 401'],
  // 2025-03-26 basic/authorization#server-metadata-discovery
  ['73344af139be', 'client', 'why:authorization-traffic', 'metadata of the authorization server are used'],
  ['17cea8f80e0b', 'server', 'oauth-server-metadata', 'metadata of the authorization server'],
  ['943640ab13e2', 'server', 'why:another-way', 'addresses of servers without metadata'],
  // 2025-03-26 basic/authorization#server-metadata-discovery-headers
  ['ef6f54ebfb5f', 'client', 'why:authorization-traffic', 'the version is sent to the authorization server'],
  // 2025-03-26 basic/authorization#authorization-base-url
  ['9ce2658a74da d53b7c131982', 'as', 'why:root-of-the-host', 'the metadata are at the root of the host'],
  // 2025-03-26 basic/authorization#fallbacks-for-servers-without-metadata-discovery
  ['7ae43d75ddd3 2e9b12b788e9', 'client', 'why:authorization-traffic', 'addresses of servers without metadata'],
  // 2025-03-26 basic/authorization#dynamic-client-registration
  ['471e4cc021ca', 'both', 'oauth-registration why:authorization-traffic', 'registration by request is a way to register'],
  // 2025-03-26 basic/authorization#token-requirements
  ['76ff6558e871', 'both', 'oauth-token-validated rule:authorization-lost', 'tokens are used as OAuth 2.1 says'],
  ['9e61d02fc971', 'client', 'rule:authorization-lost', 'the token is in the Authorization header'],
  // 2025-03-26 basic/authorization#token-handling
  ['b70a8096ed2b', 'server', 'oauth-token-validated', 'tokens are validated'],
  ['80b2eb0c7547', 'server', 'oauth-error-codes', 'refusals have the form of OAuth 2.1'],
  // 2025-03-26 basic/authorization#security-considerations
  ['7f0bbdd98b44', 'client', 'why:inside-the-client', 'tokens are stored safely'],
  ['824e2a15f1aa', 'server', 'oauth-short-lived oauth-rotation', 'tokens end, and are rotated'],
  ['6ddf1c256770', 'as', 'oauth-https', 'the endpoints are https'],
  ['184385f4a32a', 'as', 'oauth-no-untrusted-redirect oauth-redirect-exact', 'redirect addresses are validated'],
  ['3f8a2a665819', 'as', 'oauth-redirect-https', 'they are https or localhost'],
  ['1f788c93ad70', 'both', 'why:repetition', 'introduces the security requirements'],
  // 2025-03-26 basic/authorization#implementation-requirements
  ['1bee58306eae', 'both', 'oauth-security why:authorization-traffic', 'good practice of OAuth 2.1'],
  ['70661a66de29', 'both', 'oauth-pkce why:authorization-traffic', 'PKCE is required'],
  ['fef857bf251c', 'as', 'oauth-rotation', 'tokens are rotated'],
  ['207a58b9415c', 'as', 'oauth-short-lived', 'tokens end'],
  // 2025-03-26 basic/authorization#overview-2
  ['a3a7d30c47be', 'server', 'why:permission', 'a third party may authorize'],
  // 2025-03-26 basic/authorization#session-binding-requirements
  ['d6a0d43e0093 493dae6461c5 05318165937b e99d8e50b65e 305678b509f4 6e16703b99af 699e7333d4aa f7522e1f2aff 8b790bc94d68', 'server', 'why:third-party-sign-in', 'tokens of third parties']
]
