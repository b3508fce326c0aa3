/** Agents that are known to send no Authorization header when their configuration is not quite right, and what mends it in each. */

const REMEDIES: ReadonlyArray<readonly [userAgent: RegExp, remedy: string]> = [
  [/claude-code|claude-cli/i, 'In Claude Code the entry needs "headers": {"Authorization": "Bearer …"} and "type": "http"; ' +
    'run "claude mcp get <name>" to see what it sends, and "claude mcp add --transport http … --header" to set it.'],
  [/cursor/i, 'In Cursor put "headers": {"Authorization": "Bearer …"} beside "url" in mcp.json, then switch the server off and on.'],
  [/vscode|visual studio code|copilot/i, 'In VS Code and Copilot put "headers": {"Authorization": "Bearer …"} beside "url" and "type": "http" in the entry.'],
  [/codex/i, 'In Codex set bearer_token_env_var in the entry of config.toml, and that variable in the environment that Codex starts in.'],
  [/gemini/i, 'In Gemini CLI put "headers": {"Authorization": "Bearer …"} beside "httpUrl" in settings.json.'],
  [/qwen/i, 'In Qwen Code put "headers": {"Authorization": "Bearer …"} beside "httpUrl" in settings.json.'],
  [/opencode/i, 'In opencode put "headers": {"Authorization": "Bearer …"} and "oauth": false beside "url" in the entry.'],
  [/windsurf|codeium/i, 'In Windsurf put "headers": {"Authorization": "Bearer …"} beside "serverUrl" in mcp_config.json.'],
  [/\bzed\b/i, 'In Zed put "headers": {"Authorization": "Bearer …"} beside "url" in the entry of context_servers.'],
  [/goose/i, 'In Goose put the header Authorization: Bearer … under "headers" of the extension, whose type is streamable_http.'],
  [/mcp-remote/i, 'mcp-remote takes it as --header "Authorization: Bearer …"; where the client splits arguments at spaces, ' +
    'write it into a variable that the header names, without a space after the colon.']
]

/** A sentence to add to a hint, or nothing when the client is not known. */
export const remedyFor = (userAgent = ''): string => {
  const known = REMEDIES.find(([pattern]) => pattern.test(userAgent.slice(0, 256)))
  return known ? ` ${known[1]}` : ''
}
