/** How an agent's entry is to name its token: by holding it, or by pointing at where it lies. */
import type { Agent, ConfigScope, SecretReference } from '../registry/agent.js'

export type SecretStrategy = SecretReference['kind']

export const VARIABLE = 'EXPLORATION_MCP_TOKEN'

/** Agents that have a token each have a variable each: `cursor@host` is in EXPLORATION_MCP_TOKEN_CURSOR. */
export const variableOf = (token: string): string => {
  const [, agent] = /^([^@]+)@/.exec(token) ?? []
  return agent === undefined ? VARIABLE : `${VARIABLE}_${agent.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
}

const PROMPT = 'exploration-token'

// A project's file is for everybody who works on it: nothing in it may be of one person's machine, if the agent has
// another way.
const SHARED: readonly SecretStrategy[] = ['prompt', 'variable', 'command', 'file']
// On one's own machine what works without doing anything more comes first.
const OWN: readonly SecretStrategy[] = ['command', 'file', 'prompt', 'variable']

export const chooseStrategy = ({ secret }: Agent, scope: ConfigScope, reference: boolean): SecretStrategy =>
  (scope === 'project' ? SHARED : reference ? OWN : ['token', ...OWN] as const).find((strategy) => secret[strategy]) ?? 'token'

/**
 * Whether it could point at the token in place of holding it; at once, or after the user has set a variable or
 * answered a question.
 */
export const canReference = ({ secret }: Agent): 'at once' | 'with help' | undefined =>
  secret.command ?? secret.file ? 'at once' : secret.prompt ?? secret.variable ? 'with help' : undefined

export interface SecretLocation { file: string, variable: string, platform: NodeJS.Platform }

export const secretFor = (
  strategy: SecretStrategy, token: string, { file, variable, platform }: SecretLocation
): SecretReference => {
  switch (strategy) {
    case 'token': return { kind: strategy, value: token }
    case 'file': return { kind: strategy, value: file }
    case 'command': return { kind: strategy, value: headerCommand(file, platform) }
    case 'variable': return { kind: strategy, value: variable }
    case 'prompt': return { kind: strategy, value: PROMPT }
  }
}

/** Prints the headers as a JSON object; needs nothing of ours, so that it works wherever we were started from. */
const headerCommand = (file: string, platform: NodeJS.Platform): string => platform === 'win32'
  ? `node -p "JSON.stringify({Authorization:'Bearer '+require('fs').readFileSync('${inScript(file.replaceAll('\\', '/'))}','utf8').trim()})"`
  : `printf '{"Authorization":"Bearer %s"}' "$(cat '${file.replaceAll("'", "'\\''")}')"`

/**
 * A text within single quotes of a script, on a line of cmd.exe: what either would read as its own is an escape of
 * the script.
 */
const inScript = (text: string): string =>
  text.replaceAll(/[^\w/:. -]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
