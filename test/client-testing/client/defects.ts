/** What the client of these tests can do wrong, each by a switch. Without a defect it is a correct client. */
export type Defect =
  // Forms of replies
  | 'noStream' | 'noJson' | 'impatient' | 'commentsAreErrors' | 'strictChunks' | 'onlyLf' | 'blankLineIsLf' | 'firstDataLine'
  | 'keepsMark' | 'everyEvent' | 'emptyData'
  // Cut streams
  | 'resendsCutRequest' | 'ignoresRetry' | 'waitsForEver' | 'needsStream' | 'reopensAtOnce'
  // Messages and bodies
  | 'anyId' | 'looseIds' | 'lastResponse' | 'resultFirst' | 'unguarded' | 'anyJsonRpc' | 'lenientUtf8' | 'anyType' | 'lenientLength'
  // Any error: a crash, or no end
  | 'crashes' | 'hangs'
  // Sessions and revisions
  | 'neverRenews' | 'renewsTwice' | 'needsSession' | 'strictDelete' | 'anySessionId' | 'keepsVersion' | 'anyRevision' | 'neverChooses'
  | 'ignoresResultType'
  // Refusals
  | 'retriesAtOnce' | 'hammers'
  // Pages
  | 'firstPageOnly' | 'emptyIsEnd' | 'noPageLimit'
  // Notifications and requests of the server
  | 'strictNotifications' | 'needsTotal' | 'waitsForTotal' | 'looksUpProgress' | 'strictProgress' | 'ignoresRequests' | 'answersFirst' | 'answersAll'
  // Input rounds and tasks
  | 'neverAnswers' | 'keepsFirstState' | 'inventsState' | 'neverPolls' | 'pollsAtOnce' | 'pollsForEver' | 'pollsAgain'
  // Results
  | 'textOnly' | 'needsContent' | 'needsSchema' | 'strictMeta' | 'strictFields' | 'errorEnds' | 'smallBuffer' | 'anyContent' | 'noValidation'
  // Answers, ids, tokens and headers
  | 'noAction' | 'wrongValue' | 'noRole' | 'rootWithoutUri' | 'tokenInQuery' | 'altersEventId' | 'altersCursor' | 'losesVersion'
  | 'sameIds' | 'sameTokens' | 'callsTogether' | 'sendsBatch' | 'noInitialized' | 'jsonOnly' | 'losesMeta' | 'losesName'
  // Caching and subscriptions
  | 'strictTtl' | 'needsTtl' | 'polls' | 'needsSubscription' | 'relistens' | 'strictListening'
  // Skills
  | 'anyDigest' | 'anySize' | 'anyFrontMatter' | 'anyPath' | 'readsAhead'
  // Redirects
  | 'followsAsGet' | 'followsWithCredential'

export type Has = (defect: Defect) => boolean

/** An error that ends the process without words. */
export class Crash extends Error {}
