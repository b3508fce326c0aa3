/**
 * The table of known coding agents, by their own documentation of 2026-11-21. The command lines that listed or reached
 * such an entry: Claude Code 2.1.329, Codex 0.169.0, Gemini 0.61.0, Qwen Code 0.24.4, Cline 3.0.65, opencode 1.18.33,
 * Amp 0.0.1790142911, Copilot 1.0.102.
 */
/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import { VARIABLE } from '../credentials/secret-strategy.js'
import type { Agent, ManualAgent, Template } from './agent.js'

const bearer = (secret = '<secret>'): Template => ({ headers: { Authorization: `Bearer ${secret}` } })

const COPILOT_DOCS = 'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers'
const ASKS = 'your browser asks whether to allow it.'

const FAMILY = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']
const extension = (id: string, below = '') =>
  FAMILY.map((editor) => `<data>/${editor}/User/globalStorage/${id}${below}`)

type Rest = Omit<Agent, 'id' | 'name' | 'docs' | 'format' | 'servers'> & Pick<Partial<Agent>, 'format' | 'servers'>

/** Most keep their servers as `mcpServers` in a JSON file. */
const known = (id: string, name: string, docs: string, rest: Rest): Agent =>
  ({ id, name, docs, format: 'json', servers: ['mcpServers'], ...rest })

const GEMINI = {
  entry: { httpUrl: '<url>' },
  secret: { token: bearer(), variable: bearer('${<secret>}') },
  ignoredFields: ['trust', 'includeTools', 'excludeTools']
}
const CLINE = {
  entry: { type: 'streamableHttp', url: '<url>', disabled: false },
  secret: { token: bearer() },
  ignoredFields: ['disabled', 'autoApprove', 'alwaysAllow', 'timeout']
}

export const agents: readonly Agent[] = [
  known('claude-code', 'Claude Code', 'https://code.claude.com/docs/en/mcp', {
    detectedBy: ['$CLAUDE_CONFIG_DIR', '~/.claude.json', '~/.claude'],
    user: ['$CLAUDE_CONFIG_DIR/.claude.json', '~/.claude.json'],
    project: ['.mcp.json'],
    entry: { type: 'http', url: '<url>' },
    secret: { token: bearer(), command: { headersHelper: '<secret>' }, variable: bearer('${<secret>}') },
    command: 'claude mcp add --scope user --transport http <name> <url> --header "Authorization: Bearer <secret>"',
    oauth: {
      command: 'claude mcp add --scope user --transport http <name> <url>',
      nextStep: `In Claude Code open /mcp, choose the server and Authenticate: ${ASKS}`
    },
    nextStep: 'Start Claude Code anew, or reconnect under /mcp; servers of a project it asks about.'
  }),
  known('cursor', 'Cursor', 'https://cursor.com/docs/mcp', {
    detectedBy: ['~/.cursor'],
    user: ['~/.cursor/mcp.json'],
    project: ['.cursor/mcp.json'],
    entry: { url: '<url>' },
    secret: { token: bearer(), variable: bearer('${env:<secret>}') },
    link: {
      before: 'cursor://anysphere.cursor-deeplink/mcp/install?name=<name>&config=',
      encoding: 'base64',
      config: JSON.stringify({ url: '<url>', ...bearer(`\${env:${VARIABLE}}`) }),
      note: `Cursor reads the secret from the environment variable ${VARIABLE}.`,
      secretConfig: JSON.stringify({ url: '<url>', ...bearer() })
    },
    oauth: {
      linkConfig: JSON.stringify({ url: '<url>' }),
      nextStep: `In the settings of Cursor, under MCP, press Connect beside the server: ${ASKS}`
    },
    nextStep: 'Switch the server on in the settings of Cursor, under MCP.'
  }),
  known('vscode', 'VS Code', 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration', {
    detectedBy: ['<data>/Code/User', '<data>/Code - Insiders/User', '<data>/VSCodium/User'],
    user: ['<data>/Code/User/mcp.json', '<data>/Code - Insiders/User/mcp.json', '<data>/VSCodium/User/mcp.json'],
    project: ['.vscode/mcp.json'],
    servers: ['servers'],
    entry: { type: 'http', url: '<url>' },
    secret: { token: bearer(), prompt: bearer('${input:<secret>}') },
    extraElement: {
      path: ['inputs'],
      element: { type: 'promptString', id: '<secret>', description: 'Token for <url>', password: true }
    },
    command: 'code --add-mcp \'{"name":"<name>","type":"http","url":"<url>","headers":{"Authorization":"Bearer ' +
      '<secret>"}}\'',
    link: {
      before: 'vscode:mcp/install?',
      encoding: 'uri',
      config: JSON.stringify({
        name: '<name>',
        type: 'http',
        url: '<url>',
        ...bearer('${input:token}'),
        inputs: [{ type: 'promptString', id: 'token', description: 'Key or token for <url>', password: true }]
      }),
      note: 'VS Code asks for the secret when it starts the server.',
      secretConfig: JSON.stringify({ name: '<name>', type: 'http', url: '<url>', ...bearer() })
    },
    oauth: {
      command: 'code --add-mcp \'{"name":"<name>","type":"http","url":"<url>"}\'',
      linkConfig: JSON.stringify({ name: '<name>', type: 'http', url: '<url>' }),
      nextStep: `Start the server (MCP: List Servers in the command palette) and let VS Code sign you in: ${ASKS}`
    },
    nextStep: 'Start the server: MCP: List Servers in the command palette.'
  }),
  known('codex', 'Codex CLI', 'https://developers.openai.com/codex/mcp', {
    detectedBy: ['$CODEX_HOME', '~/.codex'],
    user: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'],
    project: ['.codex/config.toml'],
    format: 'toml',
    servers: ['mcp_servers'],
    entry: { url: '<url>' },
    secret: {
      token: { http_headers: { Authorization: 'Bearer <secret>' } }, variable: { bearer_token_env_var: '<secret>' }
    },
    ignoredFields: ['enabled', 'tools', 'enabled_tools', 'disabled_tools', 'default_tools_approval_mode'],
    command: `export ${VARIABLE}='<secret>' && codex mcp add <name> --url <url> --bearer-token-env-var ${VARIABLE}`,
    oauth: {
      command: 'codex mcp add <name> --url <url> && codex mcp login <name>',
      nextStep: `Start Codex anew. Where the command does not sign you in, run codex mcp login <name>: ${ASKS}`
    },
    nextStep: 'Start Codex anew; of a project it reads the file once you trust the project.'
  }),
  known('gemini', 'Gemini CLI', 'https://geminicli.com/docs/tools/mcp-server/', {
    detectedBy: ['$GEMINI_CLI_HOME/.gemini', '~/.gemini'],
    user: ['$GEMINI_CLI_HOME/.gemini/settings.json', '~/.gemini/settings.json'],
    project: ['.gemini/settings.json'],
    ...GEMINI,
    command: 'gemini mcp add --scope user --transport http <name> <url> --header "Authorization: Bearer <secret>"',
    oauth: {
      command: 'gemini mcp add --scope user --transport http <name> <url>',
      nextStep: `In Gemini CLI run /mcp auth <name>: ${ASKS}`
    },
    nextStep: 'Start Gemini CLI anew, in a folder that it trusts: in others it leaves all servers off.'
  }),
  known('qwen', 'Qwen Code', 'https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/', {
    detectedBy: ['$QWEN_HOME', '~/.qwen'],
    user: ['$QWEN_HOME/settings.json', '~/.qwen/settings.json'],
    project: ['.qwen/settings.json'],
    ...GEMINI,
    command: 'qwen mcp add --scope user --transport http <name> <url> --header "Authorization: Bearer <secret>"',
    nextStep: 'Start Qwen Code anew.'
  }),
  known('windsurf', 'Windsurf', 'https://docs.windsurf.com/windsurf/cascade/mcp', {
    detectedBy: ['~/.codeium/windsurf'],
    user: ['~/.codeium/windsurf/mcp_config.json'],
    entry: { serverUrl: '<url>' },
    secret: { token: bearer(), variable: bearer('${env:<secret>}') },
    ignoredFields: ['disabled', 'disabledTools'],
    nextStep: 'Press refresh among the MCP servers of Cascade.'
  }),
  known('zed', 'Zed', 'https://zed.dev/docs/ai/mcp', {
    detectedBy: ['<appdata>/Zed', '<config>/zed'],
    user: ['<appdata>/Zed/settings.json', '<config>/zed/settings.json'],
    project: ['.zed/settings.json'],
    servers: ['context_servers'],
    entry: { url: '<url>' },
    secret: { token: bearer() },
    ignoredFields: ['enabled', 'source', 'settings'],
    oauth: { nextStep: `Zed asks you to sign in: ${ASKS}` },
    nextStep: 'Zed connects by itself; its dot in the settings of the agent panel turns green.'
  }),
  known('cline', 'Cline', 'https://docs.cline.bot/mcp/connecting-to-a-remote-server', {
    detectedBy: extension('saoudrizwan.claude-dev'),
    user: extension('saoudrizwan.claude-dev', '/settings/cline_mcp_settings.json'),
    ...CLINE,
    nextStep: 'Cline connects by itself.'
  }),
  known('cline-cli', 'Cline CLI', 'https://docs.cline.bot/mcp/mcp-overview', {
    detectedBy: ['$CLINE_DIR', '~/.cline'],
    user: [
      '$CLINE_MCP_SETTINGS_PATH',
      '$CLINE_DIR/data/settings/cline_mcp_settings.json',
      '~/.cline/data/settings/cline_mcp_settings.json'
    ],
    ...CLINE,
    nextStep: 'Start Cline anew.'
  }),
  known('roo', 'Roo Code', 'https://docs.roocode.com/features/mcp/using-mcp-in-roo', {
    detectedBy: extension('rooveterinaryinc.roo-cline'),
    user: extension('rooveterinaryinc.roo-cline', '/settings/mcp_settings.json'),
    project: ['.roo/mcp.json'],
    entry: { type: 'streamable-http', url: '<url>' },
    secret: { token: bearer(), variable: bearer('${env:<secret>}') },
    ignoredFields: ['disabled', 'alwaysAllow', 'disabledTools', 'timeout', 'watchPaths'],
    nextStep: 'Roo Code connects by itself.'
  }),
  known('opencode', 'opencode', 'https://opencode.ai/docs/mcp-servers/', {
    detectedBy: ['$OPENCODE_CONFIG', '<config>/opencode', '~/.opencode'],
    user: ['$OPENCODE_CONFIG', '<config>/opencode/opencode.json', '<config>/opencode/opencode.jsonc'],
    project: ['opencode.json', 'opencode.jsonc'],
    servers: ['mcp'],
    entry: { type: 'remote', url: '<url>', enabled: true, oauth: false },
    secret: { token: bearer(), file: bearer('{file:<secret>}'), variable: bearer('{env:<secret>}') },
    ignoredFields: ['enabled', 'timeout'],
    command: 'opencode mcp add <name> --url <url> --header "Authorization=Bearer <secret>"',
    oauth: {
      entry: { type: 'remote', url: '<url>', enabled: true },
      command: 'opencode mcp add <name> --url <url> && opencode mcp auth <name>',
      nextStep: `Start opencode anew. To sign in again, run opencode mcp auth <name>: ${ASKS}`
    },
    nextStep: 'Start opencode anew.'
  }),
  known('goose', 'Goose', 'https://goose-docs.ai/docs/guides/config-files', {
    detectedBy: ['<appdata>/Block/goose', '<config>/goose'],
    user: ['<appdata>/Block/goose/config/config.yaml', '<config>/goose/config.yaml'],
    format: 'yaml',
    servers: ['extensions'],
    entry: { enabled: true, type: 'streamable_http', name: '<name>', uri: '<url>', timeout: 300 },
    secret: { token: bearer() },
    ignoredFields: [
      'enabled', 'bundled', 'description', 'available_tools', 'envs', 'env_keys', 'timeout', 'display_name'
    ],
    link: {
      before: 'goose://extension?type=streamable_http&url=<url>&id=<name>&name=<name>' +
        '&description=Planning%20data&timeout=300&header=',
      encoding: 'uri',
      secretConfig: 'Authorization=Bearer <secret>'
    },
    nextStep: 'Start a new session of Goose.'
  }),
  known('amp', 'Amp', 'https://ampcode.com/manual', {
    detectedBy: ['<config>/amp'],
    user: ['$AMP_SETTINGS_FILE', '<config>/amp/settings.json', '<config>/amp/settings.jsonc'],
    project: ['.amp/settings.json', '.amp/settings.jsonc'],
    servers: ['amp.mcpServers'],
    entry: { url: '<url>' },
    secret: { token: bearer(), variable: bearer('${<secret>}') },
    ignoredFields: ['disabled', 'includeTools'],
    nextStep: 'Start Amp anew; of a project it asks before it connects.'
  }),
  // Unverified: variables are documented for the environment of local servers, not for headers.
  known('copilot', 'Copilot CLI', COPILOT_DOCS, {
    detectedBy: ['$COPILOT_HOME', '~/.copilot'],
    user: ['$COPILOT_HOME/mcp-config.json', '~/.copilot/mcp-config.json'],
    project: ['.github/mcp.json'],
    entry: { type: 'http', url: '<url>', tools: ['*'] },
    secret: { token: bearer(), variable: bearer('${<secret>}') },
    command: 'copilot mcp add --transport http <name> <url> --header "Authorization: Bearer <secret>"',
    oauth: {
      command: 'copilot mcp add --transport http <name> <url>',
      nextStep: `Start Copilot CLI anew, and sign in when it says so: ${ASKS}`
    },
    nextStep: 'Start Copilot CLI anew; of a project it reads the file once you trust the folder.'
  }),
  known('kiro', 'Kiro', 'https://kiro.dev/docs/mcp/configuration', {
    detectedBy: ['~/.kiro'],
    user: ['~/.kiro/settings/mcp.json'],
    project: ['.kiro/settings/mcp.json'],
    entry: { url: '<url>' },
    secret: { token: bearer(), variable: bearer('${<secret>}') },
    ignoredFields: ['disabled', 'autoApprove', 'disabledTools'],
    link: {
      before: 'https://kiro.dev/launch/mcp/add?name=<name>&config=',
      encoding: 'uri',
      config: JSON.stringify({ url: '<url>', ...bearer(`\${${VARIABLE}}`), disabled: false }),
      note: `Kiro reads the secret from the environment variable ${VARIABLE}.`
    },
    nextStep: 'Kiro connects by itself; it asks before it reads a variable.'
  }),
  // Unverified: the page about the IDE knows local servers only.
  known('junie', 'Junie', 'https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html', {
    detectedBy: ['~/.junie'],
    user: ['~/.junie/mcp/mcp.json'],
    project: ['.junie/mcp/mcp.json'],
    entry: { url: '<url>' },
    secret: { token: bearer() },
    ignoredFields: ['enabled', 'disabled'],
    nextStep: 'Start Junie anew.'
  })
]

export const manualAgents: readonly ManualAgent[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    // Unverified: a fixed header is a limited beta of some plans.
    docs: 'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
    detectedBy: ['<data>/Claude'],
    instructions: 'Claude Desktop reads no remote server from a file. Open Settings, Connectors, ' +
      'Add custom connector, and give it <oauth-url>: you sign in there.'
  }
]
