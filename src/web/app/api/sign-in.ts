/** The operations of signing in, which need no session. */
import type { ResponseOf } from '../../../administration/operation.js'
import type { signInOperations } from '../../../administration/operations/sign-in.js'
import { requestJson } from './request.js'

type Operations = typeof signInOperations

export type SignInAnswer<Name extends keyof Operations> = ResponseOf<Operations[Name]>

/** Calls one: `callSignIn('POST /sign-in/link', { token })`. @throws {RequestError} */
export const callSignIn = async <Name extends keyof Operations>(
  operation: Name, body?: object
): Promise<NoInfer<SignInAnswer<Name>>> => {
  const [method = '', path = ''] = operation.split(' ')
  return await requestJson(method, path, { body, publicRequest: true })
}
