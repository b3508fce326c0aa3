/** Runs git for repositories that tests make. */
import { execFileSync } from 'node:child_process'

const { PATH, HOME } = process.env
/** Nothing of git: in a hook it sets GIT_DIR, and commands in a repository of a test would change the one around it. */
const env = { PATH, HOME, LC_ALL: 'C', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const IDENTITY = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com']

/**
 * Runs a command of git in a folder and returns what it prints.
 * @throws when git ends with an error
 */
export const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** Makes the folder a repository, with a commit of all that is in it. */
export const repositoryOf = (folder: string): void => {
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'first')
}
