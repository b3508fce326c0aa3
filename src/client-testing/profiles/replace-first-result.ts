/** A misbehaviour that many profiles share: the first reply with a result is another one; what follows is correct. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { idOf, type ClientRequest } from '../proxy/client-request.js'
import type { Reply } from '../proxy/reply.js'
import { judgeRefusing } from './judges.js'
import type { Profile } from './profile.js'
import { answerOnce, markedResult } from './targets.js'

export interface MarkedResponse { jsonrpc: '2.0', id: string | number, result: JsonObject }

/**
 * Creates the profile. `make` gets a response whose result holds the marker, and returns the reply that the client has
 * to refuse.
 */
export const replaceFirstResult = (
  profile: Omit<Profile, 'create'>, make: (response: MarkedResponse, call: ClientRequest) => Reply
): Profile => ({
  ...profile,
  create: ({ marker }) => answerOnce(
    profile.happens,
    (call) => make({ jsonrpc: '2.0', id: idOf(call) ?? '', result: markedResult(call, marker) }, call),
    (evidence) => judgeRefusing(evidence)
  )
})
