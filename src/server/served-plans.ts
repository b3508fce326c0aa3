/** `serve --from PATH`: imports the plans of a repository before the server is announced, and follows what changes. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { ManagementPorts } from '../api/management/management-ports.js'
import { recordOperation } from '../api/management/record-operation.js'
import { USER_CREATED } from '../api/management/users.js'
import type { Config } from '../config.js'
import { Refusal } from '../lib/errors.js'
import type { PlanImport } from '../importers/plan-import.js'
import type { Following } from '../importers/watch/follow-source.js'
import { FIRST_KEY, type FirstStart } from './first-start.js'

const MAX_PROBLEMS_LOGGED = 20
// The next change does not wait for vectors, which are made in the background.
const INDEX_TIMEOUT_MS = 250

export interface PlanSource {
  path: string
  /** What `path` is relative to. */
  cwd: string
  /** The workspace to import into; by default it has the name of the repository. */
  workspace?: string | undefined
  /** The name of the person who reads the plans, if the database has no users. */
  reader: string
}

/**
 * Opens the source, without the data folder.
 * @throws {Refusal} on a gateway, or when the path cannot be read
 */
export const openServedPlans = async (
  { path, cwd, workspace }: PlanSource, { dataDir, platformUrl }: Pick<Config, 'dataDir' | 'platformUrl'>
): Promise<PlanImport> => {
  if (platformUrl !== undefined) {
    throw new Refusal(
      '--from imports into a database of this server, which a front of PLATFORM_URL has not: import there.'
    )
  }
  const importer = await import('../importers/plan-import.js')
  return await importer.PlanImport.open(path, { cwd, workspace, exclude: [dataDir] })
}

/** Creates the first user of an empty database, who reads the plans, in place of the sample data. */
export const firstPerson = async (
  { directory, credentials, audit }: ManagementPorts, reader: string
): Promise<FirstStart> => {
  if ((await directory.listUsers()).length > 0) return { kind: 'known' }
  const name = reader.replaceAll(/[^\w.-]/g, '-').slice(0, 64)
  const user = await directory.createUser({ email: `${name}@localhost`, name, kind: 'person', serverAdmin: true })
  await recordOperation(audit, { action: USER_CREATED, userId: user.id, requestId: '-', actor: 'first start' })
  const { key } = await credentials.createKey({ user: user.id, name: FIRST_KEY, scope: 'read' })
  return { kind: 'person', key, user: user.id }
}

/** Writes a .gitignore into the folder, in case it lies in the repository. */
export const hideDataFolder = async (folder: string): Promise<void> => {
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
}

/**
 * Imports the plans, then follows their changes. Resolves after the first import.
 * @throws {Refusal} when that is refused
 */
export const followPlans = async (
  plans: PlanImport,
  { syncPlans, directory }: Pick<ManagementPorts, 'syncPlans' | 'directory'>,
  log: FastifyBaseLogger
): Promise<Following> => {
  const { followSource } = await import('../importers/watch/follow-source.js')
  const place = { path: plans.source.root, workspace: plans.workspace }
  return await followSource({
    plans,
    send: (lines) => syncPlans(lines, () => {}, undefined, INDEX_TIMEOUT_MS),
    onImported: ({ sync }, { report }, milliseconds) => {
      log.info({ ...place, ...sync, milliseconds: Math.round(milliseconds) }, 'plans were imported')
      for (const { path, line, message } of report.problems.slice(0, MAX_PROBLEMS_LOGGED)) {
        log.warn({ ...place, file: path, line }, `a problem in a plan: ${message}`)
      }
      if (!sync.workspace_created) return
      directory.listUsers().then((users) => {
        if (users.filter(({ kind }) => kind === 'person').length === 1) return
        log.warn(
          place,
          'nobody is a member of the new workspace: exploration-mcp members add --user … --workspace ' +
          `${plans.workspace} --role viewer`
        )
      }, () => {})
    },
    onFailed: (error) => {
      log.error(
        { ...place, err: error }, 'plans could not be imported; the next change is tried again'
      )
    },
    onFallback: (reason) => {
      log.warn(
        { ...place, reason }, 'not every folder can be watched: they are looked at every second instead'
      )
    }
  })
}
