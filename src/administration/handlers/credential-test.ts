/** Handler: tries a key or a token. */
import { checkCredential, type CredentialCheckDeps } from '../credential-check.js'
import type { HandlersOf, OperationCall } from '../handler.js'
import type { credentialsOperations } from '../operations/credentials.js'

type Test = OperationCall<(typeof credentialsOperations)['POST /keys/test']>

/** Returns the handlers by method and path: both kinds are tried in the same way. */
export const credentialTestHandlers = (
  deps: CredentialCheckDeps
): HandlersOf<typeof credentialsOperations, 'POST /keys/test' | 'POST /tokens/test'> => {
  const test = ({ body: { secret }, request }: Pick<Test, 'body' | 'request'>) =>
    checkCredential(deps, secret, { remoteAddress: request.ip, host: request.headers.host })
  return { 'POST /keys/test': test, 'POST /tokens/test': test }
}
