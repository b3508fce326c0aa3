/** How the entry of an agent names its token: it contains the token, or refers to where it is stored. */
import type { Agent, ConfigScope, SecretReference } from '../registry/agent.js'

export type SecretStrategy = SecretReference['kind']

export const VARIABLE = 'EXPLORATION_MCP_TOKEN'

/** The environment variable of a token. A token for one agent has its own: `cursor@host` → ..._TOKEN_CURSOR. */
export const variableOf = (token: string): string => {
  const [, agent] = /^([^@]+)@/.exec(token) ?? []
  return agent === undefined ? VARIABLE : `${VARIABLE}_${agent.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
}

const PROMPT = 'exploration-token'

// A project's file is shared: nothing in it may depend on one person's machine, if the agent has another way.
const SHARED: readonly SecretStrategy[] = ['prompt', 'variable', 'command', 'file']
// On the user's own machine, ways that need no further step come first.
const OWN: readonly SecretStrategy[] = ['command', 'file', 'prompt', 'variable']

/** The best kind that the agent supports; with `reference`, one to the token rather than the token itself. */
export const chooseStrategy = ({ secret }: Agent, scope: ConfigScope, reference: boolean): SecretStrategy =>
  (scope === 'project' ? SHARED : reference ? OWN : ['token', ...OWN] as const)
    .find((strategy) => secret[strategy]) ?? 'token'

export const canReference = ({ secret }: Agent): 'at once' | 'with help' | undefined =>
  secret.command ?? secret.file ? 'at once' : secret.prompt ?? secret.variable ? 'with help' : undefined

export const secretFor = (
  strategy: SecretStrategy, token: string,
  { file, variable, platform }: { file: string, variable: string, platform: NodeJS.Platform }
): SecretReference => {
  const values = { token, file, command: headerCommand(file, platform), variable, prompt: PROMPT }
  return { kind: strategy, value: values[strategy] }
}

/** A command that prints the headers as a JSON object. It uses nothing of this package, which may be gone by then. */
const headerCommand = (file: string, platform: NodeJS.Platform): string => platform === 'win32'
  ? 'node -p "JSON.stringify({Authorization:\'Bearer \'+' +
    `require('fs').readFileSync('${inScript(file.replaceAll('\\', '/'))}','utf8').trim()})"`
  : `printf '{"Authorization":"Bearer %s"}' "$(cat '${file.replaceAll("'", "'\\''")}')"`

/** Escapes a text for single quotes in a script on a line of cmd.exe: special characters become \u escapes. */
const inScript = (text: string): string =>
  text.replaceAll(/[^\w/:. -]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
