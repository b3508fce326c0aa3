/** Reads a repository's git history: root, remote, and when each file was added, changed and renamed. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type GitHistory = Awaited<ReturnType<typeof gitHistory>>

export interface GitRepository {
  /** The real path of its root. */
  root: string
  /** `host/owner/name` of the remote; undefined when it is unknown. */
  remote: string | undefined
}

const TIMEOUT_MS = 15_000
const MAX_OUTPUT = 128 * 1024 * 1024
const MAX_COMMITS = 20_000
const MAX_FORMER = 20

/** Options that keep git from running anything that the repository configures, and from writing. */
const SAFE = [
  '--no-pager',
  // A folder among the files may look like a bare repository with a configuration of its own.
  '-c', 'safe.bareRepository=explicit',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false', 'core.quotePath=false']
    .flatMap((setting) => ['-c', setting])
]

/** The output of git; undefined when there is no git, no repository, or no answer in time. */
const git = (folder: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { PATH, HOME } = process.env
    execFile(
      'git',
      [...SAFE, ...args],
      {
        cwd: folder,
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT,
        env: {
          ...(PATH !== undefined && { PATH }),
          ...(HOME !== undefined && { HOME }),
          LC_ALL: 'C',
          GIT_OPTIONAL_LOCKS: '0',
          // In a partial clone git would fetch by a program that the repository names: allow no protocol.
          GIT_NO_LAZY_FETCH: '1',
          GIT_ALLOW_PROTOCOL: 'none',
          GIT_TERMINAL_PROMPT: '0'
        }
      },
      (error, stdout) => resolve(error ? undefined : stdout)
    )
  })

/** The root of the repository around a folder; undefined when there is none. No configuration names another one. */
export const gitRoot = (folder: string): string | undefined => {
  let at = folder
  for (; !existsSync(join(at, '.git')); at = dirname(at)) if (at === dirname(at)) return undefined
  return at
}

/** `host/owner/name` of the remote `origin`, else of the first one; undefined when it is unknown. */
export const gitRemote = async (root: string): Promise<string | undefined> => {
  const lines = (await git(root, ['config', '--get-regexp', String.raw`^remote\..*\.url$`]))?.split('\n') ?? []
  const line = lines.findLast((one) => one.startsWith('remote.origin.url ')) ?? lines[0] ?? ''
  return remoteOf(line.slice(line.indexOf(' ') + 1).trim())
}

/** Whether git tracks the path, or anything below it. */
export const isTracked = async (root: string, path: string): Promise<boolean> =>
  ((await git(root, ['ls-files', '-z', '--', `:(top,literal)${path}`])) ?? '') !== ''

/** Whether git leaves the path out: it is not tracked, and a rule says so. */
export const isIgnoredByGit = async (folder: string, path: string): Promise<boolean> =>
  (await git(folder, ['check-ignore', '--quiet', '--', path])) !== undefined

/** The folders of all working trees of the repository, the main one first. */
export const gitWorktrees = async (folder: string): Promise<string[]> =>
  ((await git(folder, ['worktree', 'list', '--porcelain'])) ?? '')
    .split('\n').filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length))

export const gitHead = async (folder: string): Promise<string | undefined> =>
  (await git(folder, ['rev-parse', '--verify', 'HEAD']))?.trim()

/** `git@host:owner/name.git`, `https://host/owner/name` and the like → `host/owner/name`, without credentials. */
const remoteOf = (url: string): string | undefined => {
  const match =
    /^(?:[a-z+]+:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/|(?:[^@/]+@)?([\w.-]+):(?!\/))(.+?)(?:\.git)?\/?$/i.exec(url)
  const host = match?.[1] ?? match?.[2]
  const path = match?.[3]
  return host && path && /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) && host.includes('.')
    ? `${host.toLowerCase()}/${path}`
    : undefined
}

interface FileHistory {
  commit: string
  created: number
  modified: number
  former: string[]
}

/** Reads the log once, the newest commit first, up to a bound. Files of older commits have no history. */
export const gitHistory = async ({ root, remote }: GitRepository, under: string) => {
  const options = ['--name-status', '-M', '-z', '--no-ext-diff', '--no-textconv']
  const place = ['--', under === '' ? '.' : under]
  const log = await git(root, ['log', `--max-count=${MAX_COMMITS}`, '--format=%x01%H %ct', ...options, ...place])
  const staged = await git(root, ['diff', '--cached', '--diff-filter=R', ...options, 'HEAD', ...place])
  const files = readLog(log ?? '')
  for (const [from, to] of renamesIn(staged ?? '')) {
    const before = files.get(from)
    if (before && !files.has(to)) files.set(to, { ...before, former: [from, ...before.former] })
  }
  return {
    /** The URL of a file in the remote's web pages; undefined for an unknown remote, or a file in no commit. */
    urlOf: (path: string, line?: number): string | undefined => {
      const commit = files.get(path)?.commit
      return commit === undefined || remote === undefined ? undefined : webAddress(remote, commit, path, line)
    },
    /** RFC 3339; undefined for a file in no commit. */
    timesOf: (path: string): { created: string, modified: string } | undefined => {
      const file = files.get(path)
      const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
      return file && { created: iso(file.created), modified: iso(file.modified) }
    },
    /** Former names of a path, the latest first. */
    formerPaths: (path: string): readonly string[] => files.get(path)?.former ?? []
  }
}

const readLog = (log: string): Map<string, FileHistory> => {
  const files = new Map<string, FileHistory>()
  /** The files that had this name before. */
  const later = new Map<string, FileHistory>()
  for (const part of log.split('\x01').slice(1)) {
    const [heading = '', ...entries] = part.split('\0')
    const [commit = '', seconds = '0'] = heading.trim().split(' ')
    const time = Number(seconds)
    const fields = entries.map((entry) => entry.replace(/^\n/, '')).filter((entry) => entry !== '')
    for (let index = 0; index < fields.length; index++) {
      const status = fields[index] ?? ''
      const renamed = /^[RC]\d*$/.test(status)
      const from = fields[++index] ?? ''
      const path = renamed ? (fields[++index] ?? '') : from
      const history = later.get(path) ?? files.get(path)
      if (history) history.created = Math.min(history.created, time)
      // A file that the newest commit about it deleted has no place in the tree.
      const file = history ?? { commit, created: time, modified: time, former: [] }
      if (!history && status !== 'D') files.set(path, file)
      if (status.startsWith('R') && file.former.length < MAX_FORMER && !later.has(from)) {
        file.former.push(from)
        later.set(from, file)
      }
      if (status === 'A') later.delete(path)
    }
  }
  return files
}

const renamesIn = (diff: string): Array<readonly [from: string, to: string]> =>
  [...diff.matchAll(/R\d*\0([^\0]+)\0([^\0]+)\0/g)].map(([, from = '', to = '']) => [from, to])

/** The hosts whose addresses are known: with the folder of files, and the mark before a line. */
const WEB = [['github', 'blob', '#L'], ['gitlab', '-/blob', '#L'], ['bitbucket', 'src', '#lines-']] as const

const webAddress = (remote: string, commit: string, path: string, line: number | undefined): string | undefined => {
  const [host = '', ...rest] = remote.split('/')
  const [, folder, mark] = WEB.find(([name]) => host.includes(name)) ?? []
  const place = path.split('/').map(encodeURIComponent).join('/')
  const at = line === undefined ? '' : `${mark}${line}`
  return folder && `https://${host}/${rest.join('/')}/${folder}/${commit}/${place}${at}`
}
