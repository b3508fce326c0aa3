/** Names under which secrets of anyone stand: in JSON members, and in free text as `api_key=…`. */

const ASSIGNED = [
  'api[_-]?key', 'secret', 'password', 'passwd', 'access[_-]?token', 'refresh[_-]?token', 'client[_-]?secret'
]
const MEMBERS = [
  ...ASSIGNED, 'passphrase', 'authorization', 'cookie', 'private[_-]?key', 'id[_-]?token', 'auth[_-]?token', 'bearer'
].join('|')
const MEMBER = new RegExp(`(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?:${MEMBERS})$`, 'i')

/** Whether a JSON member has this name for a secret; also the end of a longer name, such as `githubAccessToken`. */
export const isSecretName = (name: string): boolean => MEMBER.test(name)

/** Finds the name of a secret member in text that is not JSON, also where its quotation marks are escaped. */
export const SECRET_MEMBER = new RegExp(`(?:${MEMBERS})\\\\*"`, 'i')

/** Finds a secret in text that stands behind its name, which is the first group. */
export const ASSIGNED_SECRET = new RegExp(`\\b((?:${ASSIGNED.join('|')})["']?\\s*[=:]\\s*["']?)[^\\s"'&,;]{4,}`, 'gi')
