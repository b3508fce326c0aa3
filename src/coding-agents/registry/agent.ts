/**
 * What is known of a coding agent, as data: where it keeps its MCP servers, in which format, and how an entry of
 * its looks.
 */

export type ConfigScope = 'user' | 'project'
export type Format = 'json' | 'toml' | 'yaml'

/** How an entry says who is calling: the token itself, or where the agent finds it when it starts. */
export type SecretReference =
  | { kind: 'token', value: string }
  /** A file that holds the token and nothing else. */
  | { kind: 'file', value: string }
  /** A command line that prints a JSON object of headers. */
  | { kind: 'command', value: string }
  /** The name of an environment variable. */
  | { kind: 'variable', value: string }
  /** The agent asks once and keeps the answer; the value is the question's id. */
  | { kind: 'prompt', value: string }

/** Text with `<url>`, `<name>`, `<secret>` or `<home>` in it, filled in before it is written. */
export type Template = { readonly [key: string]: string | number | boolean | readonly string[] | Template }

/** What an entry needs elsewhere in the file: an element of a list, known by its id. */
export interface ExtraElement {
  path: readonly string[]
  element: Template
}

/**
 * A file or folder: what follows `~/`, `<config>/` (XDG_CONFIG_HOME or ~/.config), `<data>/` (where this platform
 * keeps the data of applications), `<appdata>/` (on Windows only) or `$VARIABLE` (only where it is set, and then
 * before all others).
 */
export type PathPattern = string

export interface Agent {
  id: string
  name: string
  /**
   * The page that says so and when it was read; the version whose own command line was seen to list or reach the
   * entry.
   */
  source: { page: string, read: string, verifiedWith?: string, unverified?: string }
  /** It is on this machine when one of these is there. */
  detectedBy: readonly PathPattern[]
  /** The user's file: the first that exists, else the one whose folders do, else the first. */
  user: readonly PathPattern[]
  /** The project's file, below its folder; likewise. */
  project?: readonly string[]
  format: Format
  /** The map of servers. */
  servers: readonly string[]
  /** What each entry has. */
  entry: Template
  /**
   * What it has besides, by the way it names its secret. A way that is not here is one that the agent does not
   * know.
   */
  secret: { readonly [kind in SecretReference['kind']]?: Template }
  /** What a prompt needs elsewhere. */
  extraElement?: ExtraElement
  /**
   * Fields that the agent writes into an entry by itself: they are not ours to compare, and stay when the entry is
   * renewed.
   */
  ignoredFields?: readonly string[]
  /** What the user does next. */
  nextStep: string
}

/** An agent that takes no entry in a file: what its user does instead. */
export interface ManualAgent {
  id: string
  name: string
  source: Agent['source']
  detectedBy: readonly PathPattern[]
  instructions: string
}
