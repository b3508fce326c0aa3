/** Hints for agents that send no Authorization header or an unfilled placeholder: how to configure each one. */
/* eslint-disable no-template-curly-in-string -- agents substitute these */

interface AgentHint {
  name: string
  header: string
  /** The syntax of variables in a header; absent when the agent substitutes none. */
  variable?: string
}

const HEADERS = '"headers": {"Authorization": "Bearer …"}'
const AS_SHELL = '${NAME}'
const AS_EDITOR = '${env:NAME}'

// From the agents' documentation of November 2026; the table in src/agent-setup/registry names the pages.
const AGENTS: ReadonlyArray<readonly [userAgent: RegExp, remedy: AgentHint]> = [
  [/claude-code|claude-cli/i, {
    name: 'Claude Code',
    header: `put ${HEADERS} beside "url" and "type": "http"; "claude mcp get <name>" shows what it sends, and ` +
      '"claude mcp add --transport http … --header" sets it',
    variable: AS_SHELL
  }],
  [/cursor/i, {
    name: 'Cursor',
    header: `put ${HEADERS} beside "url" in mcp.json, then switch the server off and on`,
    variable: AS_EDITOR
  }],
  [/copilot/i, {
    name: 'Copilot CLI', header: `put ${HEADERS} beside "url" and "type": "http" in mcp-config.json`, variable: AS_SHELL
  }],
  [/vs ?code|visual[ -]studio[ -]code/i, {
    name: 'VS Code',
    header: `put ${HEADERS} beside "url" and "type": "http", under "servers" in mcp.json`,
    variable: '${input:ID}, with an entry of that id in "inputs",'
  }],
  [/codex/i, {
    name: 'Codex',
    header: 'set bearer_token_env_var in its table of config.toml to the name of a variable that is there when ' +
      'Codex starts, or http_headers; it passes over "headers"'
  }],
  [/gemini/i, { name: 'Gemini CLI', header: `put ${HEADERS} beside "httpUrl" in settings.json`, variable: AS_SHELL }],
  [/qwen/i, { name: 'Qwen Code', header: `put ${HEADERS} beside "httpUrl" in settings.json`, variable: AS_SHELL }],
  [/opencode/i, {
    name: 'opencode',
    header: `put ${HEADERS} and "oauth": false beside "url" and "type": "remote"`,
    variable: '{env:NAME} and files as {file:PATH}'
  }],
  [/windsurf|codeium/i, {
    name: 'Windsurf',
    header: `put ${HEADERS} beside "serverUrl" in mcp_config.json`,
    variable: `${AS_EDITOR} and files as \${file:PATH}`
  }],
  [/\broo/i, {
    name: 'Roo Code', header: `put ${HEADERS} beside "url" and "type": "streamable-http"`, variable: AS_EDITOR
  }],
  [/\bcline\b/i, { name: 'Cline', header: `put ${HEADERS} beside "url" and "type": "streamableHttp"` }],
  [/\bzed\b/i, { name: 'Zed', header: `put ${HEADERS} beside "url", under "context_servers" in settings.json` }],
  [/goose/i, {
    name: 'Goose',
    header: 'put Authorization: Bearer … under "headers" of the extension, beside "uri" and type: streamable_http'
  }],
  [/\bamp\b/i, {
    name: 'Amp', header: `put ${HEADERS} beside "url", under "amp.mcpServers" in settings.json`, variable: AS_SHELL
  }],
  [/\bkiro\b/i, { name: 'Kiro', header: `put ${HEADERS} beside "url" in mcp.json`, variable: AS_SHELL }],
  [/junie/i, { name: 'Junie', header: `put ${HEADERS} beside "url" in mcp.json` }],
  [/mcp-remote/i, {
    name: 'mcp-remote',
    header: 'give --header "Authorization:${AUTH}", without a space after the colon, and AUTH="Bearer …" in its ' +
      'environment',
    variable: AS_SHELL
  }]
]

const agentOf = (userAgent = ''): AgentHint | undefined =>
  AGENTS.find(([pattern]) => pattern.test(userAgent.slice(0, 256)))?.[1]

/** Returns a sentence, with a leading space, on how the client sets the header; empty for unknown clients. */
export const headerHint = (userAgent: string | undefined): string => {
  const agent = agentOf(userAgent)
  return agent ? ` In ${agent.name} ${agent.header}.` : ''
}

/** Returns a sentence, with a leading space, on how the client writes variables; empty for unknown clients. */
export const placeholderHint = (userAgent: string | undefined): string => {
  const agent = agentOf(userAgent)
  if (!agent) return ''
  return agent.variable === undefined
    ? ` ${agent.name} fills in no variable there: ${agent.header}.`
    : ` ${agent.name} writes a variable as ${agent.variable} and fills in no other form.`
}
