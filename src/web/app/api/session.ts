/** The answers of the operations around signing in. */
import type session from '#schemas/web/session.json'
import type signedIn from '#schemas/web/signed_in.json'
import type { WebBody } from '../../api/operation.js'

export type SessionInfo = WebBody<typeof session>
export type SignedIn = WebBody<typeof signedIn>
