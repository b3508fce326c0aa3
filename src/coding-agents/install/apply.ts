/** Carries a plan out: a backup beside the file, then the file in one step, then what is not needed any more. */
import { dirname, join } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import type { FileSystem } from '../file-system.js'
import { backupName } from './plan.js'
import type { InstallPlan } from './plan.js'
import type { Registration } from './registration.js'

export interface Applied {
  /** What to keep: with it `planRemoval` finds the way back. */
  registration?: Registration
  backup?: string
}

export async function apply (plan: InstallPlan, fileSystem: FileSystem): Promise<Applied> {
  if (plan.problem) throw new Refusal(plan.problem.message, 'conflict')
  const { registration } = plan
  const kept = registration && { registration }
  if (plan.before === plan.after && !plan.exposed) {
    await clear(plan, fileSystem)
    return { ...kept }
  }
  const found = await fileSystem.find(plan.file)
  const now = found.kind === 'missing' ? undefined : (await fileSystem.read(found.path)).toString()
  if (found.path !== plan.path || now !== plan.before) throw new Refusal(`${plan.file} was changed in the meantime: run it again.`, 'conflict')

  if (plan.after === undefined) {
    await fileSystem.remove(plan.path)
    await clear(plan, fileSystem)
    return { ...kept }
  }
  if (plan.before === undefined) {
    const made = await fileSystem.makeFolder(dirname(plan.path))
    await fileSystem.replace(plan.path, plan.after, plan.mode)
    return registration ? { registration: { ...registration, made: [...registration.made ?? [], ...made] } } : {}
  }
  const backup = registration && !plan.covered && await backUp(plan.path, plan.before, fileSystem)
  await fileSystem.replace(plan.path, plan.after, plan.mode)
  await clear(plan, fileSystem)
  if (!registration || !backup) return { ...kept }
  return { registration: { ...registration, backups: [...new Set([...registration.backups, backup])] }, backup }
}

/** Never over an older one that says something else. For its owner's eyes: an agent's file holds secrets. */
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
