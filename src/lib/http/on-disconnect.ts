/** Tells when a client leaves before its response was sent. */
import type { ServerResponse } from 'node:http'

/** Calls the listener when the connection closes before the response has ended. */
export const onDisconnect = (response: ServerResponse, listener: () => void): void => {
  response.once('close', () => { if (!response.writableFinished) listener() })
}
