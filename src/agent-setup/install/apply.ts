/** Applies a plan: a backup beside the file, then the file in one step, then the removal of leftovers. */
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import type { FileSystem } from '../file-system.js'
import type { InstallPlan } from './plan.js'
import type { Registration } from './registration.js'

export interface Applied {
  /** To be stored: `planRemoval` needs it to undo the change. */
  registration?: Registration
  backup?: string
}

/**
 * Applies the plan.
 * @throws {Refusal} when the plan has a problem, or when the file was changed since it was planned
 */
export async function apply (plan: InstallPlan, fileSystem: FileSystem): Promise<Applied> {
  if (plan.problem) throw new Refusal(plan.problem.message, 'conflict')
  const { registration } = plan
  const record = registration && { registration }
  if (plan.before === plan.after && !plan.exposed) {
    await clear(plan, fileSystem)
    return { ...record }
  }
  const found = await fileSystem.find(plan.file)
  const now = found.kind === 'missing' ? undefined : (await fileSystem.read(found.path)).toString()
  if (found.path !== plan.path || now !== plan.before) {
    throw new Refusal(`${plan.file} was changed in the meantime: run it again.`, 'conflict')
  }

  if (plan.after === undefined) {
    await fileSystem.remove(plan.path)
    await clear(plan, fileSystem)
    return { ...record }
  }
  if (plan.before === undefined) {
    const folders = await fileSystem.makeFolder(dirname(plan.path))
    await fileSystem.replace(plan.path, plan.after, plan.mode)
    return registration ? { registration: { ...registration, made: [...registration.made ?? [], ...folders] } } : {}
  }
  const backup = registration && !plan.covered && await backUp(plan.path, plan.before, fileSystem)
  await fileSystem.replace(plan.path, plan.after, plan.mode)
  await clear(plan, fileSystem)
  if (!registration || !backup) return { ...record }
  return { registration: { ...registration, backups: [...new Set([...registration.backups, backup])] }, backup }
}

/** Never overwrites an older backup with another content. Private, because an agent's file contains secrets. */
async function backUp (path: string, text: string, fileSystem: FileSystem): Promise<string> {
  for (let count = 1; ; count++) {
    const backup = join(dirname(path), backupName(path, count))
    if (!fileSystem.exists(backup)) {
      await fileSystem.create(backup, text, 0o600)
      return backup
    }
    const { kind } = await fileSystem.find(backup)
    if (kind === 'file' && (await fileSystem.read(backup)).toString() === text) return backup
  }
}

async function clear ({ leftovers }: InstallPlan, fileSystem: FileSystem): Promise<void> {
  for (const backup of leftovers?.backups ?? []) await fileSystem.remove(backup)
  for (const folder of leftovers?.folders.toReversed() ?? []) await fileSystem.removeFolder(folder)
}

const backupName = (file: string, count: number): string =>
  `${basename(file)}.exploration-mcp${count > 1 ? `.${count}` : ''}.bak`
