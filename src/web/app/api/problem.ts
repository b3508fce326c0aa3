/** A request that failed, with a sentence to show. */

export class RequestError extends Error {
  constructor (
    message: string,
    /** The status of the reply; 0 when there was none. */
    readonly status: number,
    /** Seconds after which to try again, where the server said so. */
    readonly retryAfter: number | undefined = undefined,
    /** What the reply says beside the sentence: of a 412 the record as it is now. */
    readonly details: Readonly<Record<string, unknown>> = {}
  ) {
    super(message)
  }

  /** Whether the same request would be refused again: there is nothing, or nothing for this person. */
  get isFinal (): boolean {
    return this.status === 403 || this.status === 404
  }
}

const UNREACHABLE = 'The server cannot be reached. Check the connection, then try again.'

export const messageOf = (error: unknown): string => error instanceof RequestError ? error.message : UNREACHABLE

/** Reads the error of a reply: the detail of its problem document (RFC 9457), or a sentence about its status. */
export const readProblem = async (response: Response): Promise<RequestError> => {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(after) && after > 0 ? after : undefined
  let details = {}
  try {
    details = Object(await response.json())
  } catch {
    // A proxy answered, not this server.
  }
  const detail = 'detail' in details && typeof details.detail === 'string' ? details.detail : undefined
  return new RequestError(detail ?? sentenceFor(response.status), response.status, retryAfter, details)
}

const sentenceFor = (status: number): string => {
  if (status === 401) return 'Sign in to do this.'
  if (status === 429) return 'That was too often. Wait a minute, then try again.'
  if (status >= 502 && status <= 504) return 'The server does not answer at the moment. Try again in a minute.'
  return `The server answered with status ${status}. Try again.`
}
