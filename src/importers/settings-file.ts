/** The file in the root of a repository that configures its import. */
export const SETTINGS_FILE = '.exploration-mcp.json'
