/** Settings of earlier versions, each with what to do instead. */
import { Refusal } from '../lib/errors.js'

interface RemovedSetting {
  instead: string
  /** Only this value of the variable was removed. */
  value?: string
  /** Whether a server that ignored it would do something that its operator did not want, so that it does not start. */
  isRefused?: true
}

const NO_ONNX: RemovedSetting = {
  instead: 'The server runs no model itself any more. Run the model in a local server that has /v1/embeddings ' +
    '(Ollama, llama.cpp, TEI), and set EMBEDDER=openai, EMBEDDINGS_URL and EMBEDDINGS_MODEL.',
  isRefused: true
}

const fixed = (is: string): RemovedSetting => ({ instead: `${is} Remove the variable.` })

const REMOVED: ReadonlyArray<readonly [variable: string, RemovedSetting]> = [
  ['EMBEDDER', { ...NO_ONNX, value: 'onnx' }],
  ['ONNX_MODEL', NO_ONNX],
  ['ONNX_POOLING', NO_ONNX],
  ['PLATFORM_TIMEOUT_MS', fixed('A gateway waits 10 seconds for its platform.')],
  ['PLATFORM_CONNECTIONS', fixed('A gateway holds at most 64 connections to its platform.')],
  ['OAUTH_CODE_TTL_SECONDS', fixed('An authorization code works for 60 seconds.')],
  ['OAUTH_REFRESH_GRACE_SECONDS', fixed('A used refresh token may be used again for 60 seconds.')],
  ['OAUTH_REQUESTS_PER_MINUTE', fixed('The token and revocation endpoints take 600 requests of one address a minute.')],
  ['OAUTH_AUTHORIZATIONS_PER_MINUTE', fixed('The authorization endpoint takes 120 requests of one address a minute.')],
  ['OAUTH_MAX_CLIENTS', {
    instead: 'To keep applications from registering themselves set OAUTH_REGISTRATIONS_PER_HOUR=0.',
    value: '0',
    isRefused: true
  }],
  ['OAUTH_MAX_CLIENTS', {
    instead: 'At most 10,000 applications register themselves. Remove the variable; OAUTH_REGISTRATIONS_PER_HOUR and ' +
      'OAUTH_ALLOWED_CLIENT_HOSTS restrict who registers.'
  }],
  ['EMBEDDINGS_BATCH', fixed('A request to the embedding service has at most 32 texts, fewer where it takes fewer.')],
  ['EMBEDDINGS_QUERY_TIMEOUT_MS', fixed('A search waits 1.5 seconds for the embedding service.')],
  ['SESSION_TTL_SECONDS', fixed('A session id is valid for a week.')],
  ['BODY_LIMIT_BYTES', fixed('A request body has at most 128 KiB.')],
  ['BATCH_LIMIT', fixed('A batch has at most 50 messages.')],
  ['MAX_CONNECTIONS', {
    instead: 'At most 20,000 connections are open. Remove the variable, and set a lower limit in the proxy.'
  }],
  ['OVERLOAD_DELAY_MS', fixed('Requests are refused with 503 when the event loop is late by a second on average.')],
  ['FAILED_AUTH_PER_MINUTE', fixed('An address may send 60 wrong credentials a minute.')],
  ['DEVICE_AUTHORIZATIONS_PER_MINUTE', fixed('An address may ask for 20 device codes a minute.')]
]

/** The variables that are set, or whose file is, and were removed, each with its sentence. */
const removedIn = (env: Readonly<Record<string, string | undefined>>): Array<RemovedSetting & { said: string }> => {
  const seen = new Set<string>()
  return REMOVED.flatMap(([variable, setting]) => {
    const { value, instead } = setting
    const given = [variable, `${variable}_FILE`].find((name) => env[name])
    if (given === undefined || seen.has(variable) || (value !== undefined && env[variable] !== value)) return []
    seen.add(variable)
    return [{ ...setting, said: `${given}${value === undefined ? '' : `=${value}`} was removed. ${instead}` }]
  })
}

/** @throws {Refusal} for a removed variable, or value of one, that cannot be ignored */
export const refuseRemovedSettings = (env: Readonly<Record<string, string | undefined>>): void => {
  const refused = removedIn(env).filter(({ isRefused }) => isRefused)
  if (refused.length > 0) throw new Refusal(refused.map(({ said }) => said).join('\n'))
}

export const ignoredSettings = (env: Readonly<Record<string, string | undefined>>): string[] =>
  removedIn(env).filter(({ isRefused }) => !isRefused).map(({ said }) => said)
