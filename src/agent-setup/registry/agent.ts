/** Describes a coding agent as data: where it keeps its MCP servers, in which format, and how an entry looks. */

export type ConfigScope = 'user' | 'project'
export type Format = 'json' | 'toml' | 'yaml'

export interface SecretReference {
  /**
   * `token`: the value is the token; `file`: a file that holds it and nothing else; `command`: a command line that
   * prints a JSON object of headers; `variable`: the name of an environment variable; `prompt`: the id of a question
   * that the agent asks once.
   */
  kind: 'token' | 'file' | 'command' | 'variable' | 'prompt'
  value: string
}

/** Texts may contain `<url>`, `<name>` or `<secret>`, which are filled in. */
export type Template = { readonly [key: string]: string | number | boolean | readonly string[] | Template }
export const isTemplate = (value: Template[string]): value is Template =>
  typeof value === 'object' && !Array.isArray(value)

/**
 * An address that opens the agent and adds the entry. `<name>`, `<url>` and `<secret>` are filled in; in `before` they
 * are percent-encoded.
 */
export interface InstallLink {
  before: string
  /** How the text after it is written: base64 of it, or as it is; percent-encoded in either case. */
  encoding: 'base64' | 'uri'
  /** Without the secret: JSON, or plain text. Absent where the agent then has no way to get one. */
  config?: string
  /** What the user does about the secret after that link. */
  note?: string
  /** With the secret. Only for schemes that open a program here: an https address would send it to someone else. */
  secretConfig?: string
}

/**
 * A file or folder: a path below `~/`, `<config>/` (XDG_CONFIG_HOME or ~/.config), `<data>/` (the platform's folder for
 * application data), `<appdata>/` (on Windows only) or `$VARIABLE` (only when it is set; it then precedes all others).
 */
export type PathPattern = string

export interface OAuthEntry {
  /** Where its fields differ from those with a secret. */
  entry?: Template
  command?: string
  /** The address that opens the agent and adds the entry: as `Agent.link`, with this instead of its `config`. */
  linkConfig?: string
  nextStep: string
}

export interface Agent {
  id: string
  name: string
  docs: string
  /** The agent is on this machine when one of these exists. */
  detectedBy: readonly PathPattern[]
  /** The user's file: the first that exists, else the one whose folder exists, else the first. */
  user: readonly PathPattern[]
  /** The project's file, relative to its folder; chosen likewise. */
  project?: readonly string[]
  format: Format
  servers: readonly string[]
  entry: Template
  /** Additional fields, by kind of secret reference. The agent does not support the kinds that are missing. */
  secret: { readonly [kind in SecretReference['kind']]?: Template }
  /** What a prompt needs elsewhere in the file: an element of a list, identified by its id. */
  extraElement?: { path: readonly string[], element: Template }
  /** Fields that the agent writes by itself: they are not compared, and stay when the entry is renewed. */
  ignoredFields?: readonly string[]
  /** A command line of the agent itself that adds the entry, for a POSIX shell; with the same blanks. */
  command?: string
  link?: InstallLink
  oauth?: OAuthEntry
  nextStep: string
}

export interface ManualAgent {
  id: string
  name: string
  docs: string
  detectedBy: readonly PathPattern[]
  instructions: string
}

/** In its instructions `<url>` is filled in. */
export interface HostedApplication extends Omit<ManualAgent, 'detectedBy'> { nextStep: string }

/** An install link into which a page puts a secret; the browser fills it too. */
export interface LinkTemplate {
  before: string
  /** JSON with `<secret>` in it. */
  config: string
  /** `base64`: base64 of the UTF-8 text, then percent-encoded; `uri`: percent-encoded. */
  encoding: 'base64' | 'uri'
  after: string
}
