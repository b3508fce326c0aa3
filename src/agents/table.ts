/** The coding agents that are known, each as its own documentation has it. */
/* eslint-disable no-template-curly-in-string -- placeholders that agents fill in */
import type { Agent, Instructed } from './agent.js'

const READ = '2026-11-21'

export const agents: readonly Agent[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    source: { page: 'https://code.claude.com/docs/en/mcp', read: READ },
    signs: ['$CLAUDE_CONFIG_DIR', '~/.claude.json', '~/.claude'],
    user: ['$CLAUDE_CONFIG_DIR/.claude.json', '~/.claude.json'],
    project: ['.mcp.json'],
    format: 'json',
    servers: ['mcpServers'],
    entry: { type: 'http', url: '<url>' },
    secret: {
      token: { headers: { Authorization: 'Bearer <secret>' } },
      command: { headersHelper: '<secret>' },
      variable: { headers: { Authorization: 'Bearer ${<secret>}' } }
    },
    next: 'Start Claude Code anew, or reconnect under /mcp.'
  },
  {
    id: 'cursor',
    name: 'Cursor',
    source: { page: 'https://cursor.com/docs/mcp', read: READ },
    signs: ['~/.cursor'],
    user: ['~/.cursor/mcp.json'],
    project: ['.cursor/mcp.json'],
    format: 'json',
    servers: ['mcpServers'],
    entry: { url: '<url>' },
    secret: {
      token: { headers: { Authorization: 'Bearer <secret>' } },
      variable: { headers: { Authorization: 'Bearer ${env:<secret>}' } }
    },
    next: 'Cursor asks whether to enable the server.'
  }
]

export const instructed: readonly Instructed[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    source: { page: 'https://support.claude.com/en/articles/11175166', read: READ, unverified: 'which plans may add a connector changes' },
    signs: ['<data>/Claude'],
    instructions: 'Claude Desktop takes remote servers in its settings only: Settings, Connectors, Add custom connector, and there <url>.'
  }
]
