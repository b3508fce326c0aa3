/** `serve --from PATH`: imports the plans of a repository before the server is announced, and follows what changes. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { operationEvent, USER_CREATED } from '../administration/operator.js'
import type { Config } from '../config/config.js'
import { commandLine } from '../lib/text/command-line.js'
import { Refusal } from '../lib/errors.js'
import { gitWorktrees } from '../importers/source/git.js'
import { describeFound } from '../importers/describe-found.js'
import type { PlanImport } from '../importers/plan-import.js'
import type { Following } from '../importers/watch/follow-source.js'
import type { Backend } from './backend.js'
import { FIRST_KEY, type FirstStart } from './first-start.js'

const MAX_PROBLEMS_LOGGED = 20
// The next change does not wait for vectors, which are made in the background.
const INDEX_TIMEOUT_MS = 250

export interface PlanSource {
  paths: readonly string[]
  cwd: string
  /** The workspace to import into, for one path; by default it has the name of the repository. */
  workspace?: string | undefined
  reader: string
  write: boolean
}

export interface ServedPlans { path: string, plans: PlanImport }

/** @throws {Refusal} on a gateway, when a path cannot be read, or when two have the same workspace */
export const openServedPlans = async (
  { paths, cwd, workspace }: PlanSource, { dataDir, platformUrl }: Pick<Config, 'dataDir' | 'platformUrl'>
): Promise<ServedPlans[]> => {
  if (platformUrl !== undefined) {
    throw new Refusal(
      '--from imports into a database of this server, which a front of PLATFORM_URL has not: import there.'
    )
  }
  const importer = await import('../importers/plan-import.js')
  const served: ServedPlans[] = []
  for (const path of paths) {
    const plans = await importer.PlanImport.open(path, { cwd, workspace, exclude: [dataDir], inThread: true })
    const other = served.find((one) => one.plans.workspace === plans.workspace)
    if (other) {
      throw new Refusal(
        `${other.path} and ${path} would both be imported into the workspace ${plans.workspace}: serve one of them, ` +
        `and follow the other with: import ${path} --workspace NAME --watch`
      )
    }
    served.push({ path, plans })
  }
  return served
}

/**
 * Creates the first user of an empty database, an admin of the imported workspaces, with a key. It comes after the
 * import: a start whose import fails leaves no user, so that the next one is a first start again.
 */
export const firstPerson = async (
  { directory, credentials, audit, api }: Pick<Backend, 'directory' | 'credentials' | 'audit' | 'api'>,
  { reader, write }: Pick<PlanSource, 'reader' | 'write'>, served: readonly ServedPlans[]
): Promise<FirstStart> => {
  if ((await directory.listUsers()).length > 0) return { kind: 'known' }
  const name = reader.replaceAll(/[^\w.-]/g, '-').slice(0, 64)
  const user = await directory.createUser({ email: `${name}@localhost`, name, kind: 'person', serverAdmin: true })
  await audit.record(operationEvent(USER_CREATED, { user_id: user.id }, 'first start'))
  for (const { plans: { workspace } } of served) {
    try {
      await directory.addMember({ user: user.id, workspace, role: 'admin' })
      if (write) await api.workspaces.change(await directory.findWorkspace(workspace), { agents: 'report' }, undefined)
    } catch (error) {
      // A repository without plans has no workspace yet. The import that creates it makes its only person a member.
      if (!(error instanceof Refusal) || error.reason !== 'not_found') throw error
    }
  }
  const { key } = await credentials.createKey({ user: user.id, name: FIRST_KEY, scope: write ? 'read_write' : 'read' })
  return { kind: 'person', key, user: user.id, writes: write }
}

/** Writes a .gitignore into the folder, in case it lies in the repository. */
export const hideDataFolder = async (folder: string): Promise<void> => {
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
}

/** Resolves after the first import, with what it found in sentences. @throws {Refusal} when that is refused */
export const followPlans = async (
  plans: PlanImport,
  { syncPlans, planFiles, directory }: Pick<Backend, 'syncPlans' | 'planFiles' | 'directory'>,
  { log, write }: { log: FastifyBaseLogger, write: boolean }
): Promise<{ following: Following, found: string[] }> => {
  const { followSource } = await import('../importers/watch/follow-source.js')
  const place = { path: plans.source.root, workspace: plans.workspace }
  let found: string[] | undefined
  const writer = planFiles.follow({
    plans,
    writes: write,
    onLeft: (reason) => { log.warn({ ...place, reason }, 'a change stays here: its file does not say it') }
  })
  const following = await followSource({
    plans,
    send: (lines, isOwn) => syncPlans(
      lines, { indexTimeoutMs: INDEX_TIMEOUT_MS, over: write ? isOwn ? 'own' : 'follow' : 'propose' }),
    writer,
    onImported: ({ sync, imported }, { report, found: units }, milliseconds) => {
      found ??= describeFound(units, report)
      log.info({ ...place, ...sync, milliseconds: Math.round(milliseconds) }, 'plans were imported')
      writer.know(units)
      if (write) writer.write().catch(() => {})
      for (const { path, line, message } of report.problems.slice(0, MAX_PROBLEMS_LOGGED)) {
        log.warn({ ...place, file: path, line }, `a problem in a plan: ${message}`)
      }
      if (!sync.workspace_created || imported?.admin !== undefined) return
      directory.listUsers().then((users) => {
        if (users.filter(({ kind }) => kind === 'person').length <= 1) return
        log.warn(place, 'the new workspace has no members: ' +
          commandLine(`members add --user … --workspace ${plans.workspace} --role viewer`))
      }, () => {})
    },
    onFailed: (error) => {
      log.error({ ...place, err: error }, 'plans could not be imported; the next change is tried again')
    },
    onFallback: (reason) => {
      log.warn({ ...place, reason }, 'not every folder can be watched: they are looked at every second instead')
    }
  })
  const stop = async (): Promise<void> => {
    await following.stop()
    await writer.exclusively(async () => {})
  }
  return { following: { stop }, found: [...found ?? [], ...(write ? await aboutWriting(plans) : [])] }
}

/** What the start says of writing, and of other working trees of the repository. */
const aboutWriting = async ({ source: { root } }: PlanImport): Promise<string[]> => {
  const others = (await gitWorktrees(root)).filter((folder) => folder !== root)
  return [
    `What agents report and people accept is written into these files, in ${root}. Nothing is committed.`,
    ...(others.length === 0
      ? []
      : [`This repository has other working trees: ${others.join(', ')}. Connect their agents to this server: what ` +
        'they report is written here. Another serve there has data of its own, and knows nothing of what is claimed ' +
        'here.'])
  ]
}
