/** What operations answer, where several files of a page draw it. */
import type { Answer } from './call.js'

export type ExplorationAnswer = Answer<'GET /explorations/:id'>
export type WorkspaceRow = Answer<'GET /workspaces'>['workspaces'][number]
export type Person = Answer<'GET /people'>['people'][number]
export type ServiceAccount = Answer<'GET /service-accounts'>['service_accounts'][number]
export type ConsentDetails = Answer<'POST /oauth/consent/lookup'>
export type SessionInfo = Answer<'GET /session'>
export type SignedIn = Answer<'POST /sign-in/link'>
