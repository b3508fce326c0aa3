/** What a prompt, a resource or a list refuses is invalid params: 2026-07-28 server/prompts#error-handling. */
import { Fault, Refusal } from '../../lib/errors.js'

/** Throws the `Fault` `invalid_params` for a `Refusal`, and any other error as it is. For `catch` of a promise. */
export const rejectRefusal = (error: unknown): never => {
  throw error instanceof Refusal ? new Fault('invalid_params', error.message) : error
}
