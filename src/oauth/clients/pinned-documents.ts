/**
 * Documents of well-known applications, as published in September 2026. They stand in where a host answers no data
 * centre, and for servers that cannot reach the internet. A document that can be fetched goes before.
 */

const GRANTS = ['authorization_code', 'refresh_token']

const document = (clientId: string, name: string, redirectUris: readonly string[]) => ({
  client_id: clientId,
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: GRANTS,
  response_types: ['code'],
  token_endpoint_auth_method: 'none'
})

const DOCUMENTS = [
  document('https://claude.ai/oauth/mcp-oauth-client-metadata', 'Claude',
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback']),
  document('https://claude.ai/oauth/claude-code-client-metadata', 'Claude Code',
    ['http://localhost/callback', 'http://127.0.0.1/callback']),
  document('https://chatgpt.com/oauth/client.json', 'ChatGPT',
    ['https://chatgpt.com/connector_platform_oauth_redirect']),
  document('https://chatgpt.com/oauth/codex/client.json', 'Codex',
    ['http://127.0.0.1/callback', 'http://localhost/callback']),
  document('https://vscode.dev/oauth/client-metadata.json', 'Visual Studio Code',
    ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect']),
  document('https://insiders.vscode.dev/oauth/client-metadata.json', 'Visual Studio Code - Insiders',
    ['http://127.0.0.1:33418/', 'https://insiders.vscode.dev/redirect']),
  document('https://opencode.ai/oauth/opencode/client.json', 'opencode',
    ['http://127.0.0.1/callback', 'http://localhost/callback']),
  document('https://github.com/copilot/cli/client-metadata.json', 'GitHub Copilot CLI', ['http://127.0.0.1:33418/']),
  document('https://zed.dev/oauth/client-metadata.json', 'Zed', ['http://127.0.0.1/callback'])
]

const byId = new Map(DOCUMENTS.map((pinned) => [pinned.client_id, pinned]))

export const pinnedDocument = (clientId: string): object | undefined => byId.get(clientId)
