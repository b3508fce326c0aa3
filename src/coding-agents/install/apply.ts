/** Carries a plan out: a backup beside the file, then the file in one step, then what is not needed any more. */
import { dirname, join } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import type { Disk } from '../file-system.js'
import { backupName } from './plan.js'
import type { Plan } from './plan.js'
import type { Registration } from './registration.js'

export interface Applied {
  /** What to keep: with it `planRemoval` finds the way back. */
  registration?: Registration
  backup?: string
}

export async function apply (plan: Plan, disk: Disk): Promise<Applied> {
  if (plan.problem) throw new Refusal(plan.problem.message, 'conflict')
  const { registration } = plan
  const kept = registration && { registration }
  if (plan.before === plan.after && !plan.exposed) {
    await clear(plan, disk)
    return { ...kept }
  }
  const found = await disk.find(plan.file)
  const now = found.kind === 'missing' ? undefined : (await disk.read(found.path)).toString()
  if (found.path !== plan.path || now !== plan.before) throw new Refusal(`${plan.file} was changed in the meantime: run it again.`, 'conflict')

  if (plan.after === undefined) {
    await disk.remove(plan.path)
    await clear(plan, disk)
    return { ...kept }
  }
  if (plan.before === undefined) {
    const made = await disk.makeFolder(dirname(plan.path))
    await disk.replace(plan.path, plan.after, plan.mode)
    return registration ? { registration: { ...registration, made: [...registration.made ?? [], ...made] } } : {}
  }
  const backup = registration && !plan.covered && await backUp(plan.path, plan.before, disk)
  await disk.replace(plan.path, plan.after, plan.mode)
  await clear(plan, disk)
  if (!registration || !backup) return { ...kept }
  return { registration: { ...registration, backups: [...new Set([...registration.backups, backup])] }, backup }
}

/** Never over an older one that says something else. For its owner's eyes: an agent's file holds secrets. */
async function backUp (path: string, text: string, disk: Disk): Promise<string> {
  for (let count = 1; ; count++) {
    const backup = join(dirname(path), backupName(path, count))
    if (!disk.exists(backup)) {
      await disk.create(backup, text, 0o600)
      return backup
    }
    const { kind } = await disk.find(backup)
    if (kind === 'file' && (await disk.read(backup)).toString() === text) return backup
  }
}

async function clear ({ leftovers }: Plan, disk: Disk): Promise<void> {
  for (const backup of leftovers?.backups ?? []) await disk.remove(backup)
  for (const folder of leftovers?.folders.toReversed() ?? []) await disk.removeFolder(folder)
}
