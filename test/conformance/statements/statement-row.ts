/** The type of the tables that assign each statement of the specification to what watches it. */

/**
 * One row: the hashes of statements as normative-statements.json has them, separated by spaces; who is bound; what
 * watches them; and the statement in our words.
 *
 * Who is bound: `server`, `client`, `both` (server and client), `as` (authorization server), `host` (the application
 * around a client) or `other`, separated by commas. What watches: ids of requirements, `rule:ID`, `profile:ID`, and
 * `why:ID` for a reason why nothing does, or not for each party; separated by spaces.
 */
export type StatementRow = readonly [hashes: string, binds: string, watchers: string, inOurWords: string]
