/** What scopes and roles allow on this server, for the pages on which people choose them. */
import type { Config } from '../../config/config.js'
import { capsOf, type Caps } from '../../access/limits/rate-limit.js'
import { describeScope, SCOPES } from '../../planning/scope-words.js'
import { rolesSentence } from '../../administration/role-words.js'

const limitText = ({ minute, day }: Caps): string =>
  `${minute.toLocaleString('en-US')} calls a minute, ${day.toLocaleString('en-US')} a day`

/** The words, with the limits of this configuration. Those of a token are the same with every scope. */
export const accessWords = (config: Config) => {
  const { pat, ...caps } = capsOf(config)
  return {
    scopes: SCOPES.map((scope) => {
      const tools = describeScope(scope)
      return { scope, key: `${tools}. ${limitText(caps[scope])}`, token: `${tools}. ${limitText(pat)}` }
    }),
    roles: rolesSentence()
  }
}
