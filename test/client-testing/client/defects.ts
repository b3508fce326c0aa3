/** What the client of these tests can do wrong, each by a switch. Without a defect it is a correct client. */
export type Defect =
  // Whatever the correct server does not do is an error; whatever comes is taken
  | 'strict' | 'lenient'
  // Any error: a crash, or no end
  | 'crashes' | 'hangs'
  // Replies and streams
  | 'noStream' | 'noJson' | 'impatient' | 'anyId' | 'resendsCutRequest' | 'ignoresRetry' | 'reopensAtOnce'
  // Sessions, revisions, refusals and redirects
  | 'neverRenews' | 'keepsVersion' | 'neverChooses' | 'retriesAtOnce' | 'hammers' | 'followsAsGet' | 'followsWithCredential'
  // Pages, caching, subscriptions and skills
  | 'firstPageOnly' | 'emptyIsEnd' | 'noPageLimit' | 'polls' | 'relistens' | 'readsAhead'
  // Requests of the server, input rounds and tasks
  | 'ignoresRequests' | 'answersFirst' | 'neverAnswers' | 'keepsFirstState' | 'inventsState' | 'pollsAtOnce' | 'pollsForEver' | 'pollsAgain'
  // Answers, ids, tokens and headers
  | 'noAction' | 'wrongValue' | 'noRole' | 'rootWithoutUri' | 'tokenInQuery' | 'altersEventId' | 'altersCursor' | 'losesVersion'
  | 'sameIds' | 'sameTokens' | 'callsTogether' | 'sendsBatch' | 'noInitialized' | 'jsonOnly' | 'losesMeta' | 'losesName'

export type Has = (defect: Defect) => boolean
