/** The file in the root of a repository that says how it is imported. */
export const SETTINGS_FILE = '.exploration-mcp.json'
