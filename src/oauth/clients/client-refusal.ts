/** Why a client cannot be connected. */

/** `code` is an error code of OAuth, the message a sentence for the person. */
export class ClientRefusal extends Error {
  constructor (readonly code: 'invalid_client' | 'unauthorized_client', message: string) {
    super(message)
    this.name = 'ClientRefusal'
  }
}
