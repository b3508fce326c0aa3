/** How a person runs this program on this machine: every sentence that names a whole command takes it from here. */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { parseArgs } from 'node:util'

export interface ProgramStart {
  /** The path that Node was started with. */
  script: string
  /** The working folder. */
  folder: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

const NAME = 'exploration-mcp'
let program = NAME
let options = ''

/** The command line of a command, such as `npx exploration-mcp users list --data plans` for `users list`. */
export const commandLine = (words: string): string => `${program} ${words}${options}`

/** Called once, before any command runs. Without it, `commandLine` uses the plain name. */
export const setProgram = (start: ProgramStart): void => {
  program = programFor(start)
  options = dataOptions(start)
}

/** The plain name when a folder of PATH has this program; `npx` when that finds it from the working folder. */
const programFor = ({ script, folder, env }: ProgramStart): string => {
  const file = realPath(script)
  const installed = (env['PATH'] ?? '').split(delimiter)
    // npm adds these folders for the time of a script.
    .filter((path) => path !== '' && !path.endsWith(join('node_modules', '.bin')))
    .some((path) => realPath(join(path, NAME)) === file)
  if (installed) return NAME
  const root = dirname(dirname(file))
  const project = projectOf(folder)
  const isFoundByNpx = root.includes(`${sep}_npx${sep}`) ||
    (project !== undefined && [project, join(project, 'node_modules', NAME)].some((path) => realPath(path) === root))
  return isFoundByNpx ? `npx ${NAME}` : `node ${quote(file)}`
}

/** The nearest folder with a package.json, from which npx looks for programs. */
const projectOf = (folder: string): string | undefined => {
  if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(folder) === folder ? undefined : projectOf(dirname(folder))
}

/** The options that name the data of this process, so that other commands find the same. */
const dataOptions = ({ args, env }: ProgramStart): string => {
  const named = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { data: named, 'database-url': named, 'database-url-file': named },
    strict: false,
    allowPositionals: true
  })
  const given = { ...values, data: values.data ?? env['DATA_DIR'] }
  return Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && value !== '.data' ? [` --${name} ${quote(value)}`] : []).join('')
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Quotes a word for a POSIX shell, when that is needed. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
