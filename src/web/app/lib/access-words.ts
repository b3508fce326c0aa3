/** What scopes and roles allow, in the server's words: they follow from what its tools and operations need. */
import type { Scope } from '../../../lib/principal.js'
import type { Choice } from '../components/choices.js'
import { useSessionState } from './session.js'
import { SCOPE_LABELS } from './words.js'

/** Returns the function that says what a key or a token with a scope may do; undefined until the session is known. */
export const useScopeWords = (noun: 'key' | 'token'): (scope: Scope) => string | undefined => {
  const scopes = useSessionState()?.session.access.scopes
  return (scope) => {
    const words = scopes?.find((one) => one.scope === scope)?.[noun]
    return words === undefined ? undefined : words.charAt(0).toUpperCase() + words.slice(1)
  }
}

export const useScopeChoices = (noun: 'key' | 'token'): Array<Choice<Scope>> => {
  const describe = useScopeWords(noun)
  return (Object.keys(SCOPE_LABELS) as Scope[]).map((scope) => {
    const description = describe(scope)
    return { value: scope, label: SCOPE_LABELS[scope], ...description !== undefined && { description } }
  })
}

/** Returns what each role may do; empty until the session is known. */
export const useRolesSentence = (): string => {
  const roles = useSessionState()?.session.access.roles
  return roles === undefined ? '' : `${roles}. Changes count at once.`
}
