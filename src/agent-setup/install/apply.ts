/** Applies a plan: a backup beside the file, then the file in one step, then the removal of leftovers. */
import { basename, dirname, join } from 'node:path'
import { errorCode, fileFault } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import type { FileSystem } from '../file-system.js'
import type { InstallPlan } from './plan.js'
import type { Registration } from './edit-entry.js'

/** Applies the plan. The registration is to be stored: `planRemoval` needs it to undo the change. */
export async function apply (
  plan: InstallPlan, fileSystem: FileSystem
): Promise<{ registration?: Registration | undefined, backup?: string | undefined }> {
  if (plan.problem) throw new Refusal(plan.problem.message, 'conflict')
  const { path, before, after, mode } = plan
  let { registration } = plan
  let backup: string | undefined
  if (before !== after || plan.exposed) {
    const found = await fileSystem.find(plan.file)
    const now = found.kind === 'missing' ? undefined : (await fileSystem.read(found.path)).toString()
    if (found.path !== path || now !== before) {
      throw new Refusal(`${plan.file} was changed in the meantime: run it again.`, 'conflict')
    }
    if (after === undefined) await fileSystem.remove(path)
    else if (before === undefined) {
      const folders = await fileSystem.makeFolder(dirname(path))
      registration &&= { ...registration, made: [...registration.made ?? [], ...folders] }
      await fileSystem.replace(path, after, mode)
    } else {
      if (registration && !plan.covered) {
        backup = await backUp(path, before, fileSystem)
        registration = { ...registration, backups: [...new Set([...registration.backups, backup])] }
      }
      await fileSystem.replace(path, after, mode)
    }
  }
  for (const left of plan.leftovers?.backups ?? []) await fileSystem.remove(left)
  for (const folder of plan.leftovers?.folders.toReversed() ?? []) await fileSystem.removeFolder(folder)
  return { registration, backup }
}

/** The plan with the problem that kept it from being applied. @throws an error that is none of the file's */
export const failedPlan = (plan: InstallPlan, error: unknown): InstallPlan => {
  if (error instanceof Refusal) return { ...plan, problem: { message: error.message } }
  if (errorCode(error) === undefined) throw error
  return { ...plan, problem: { message: `${plan.file} cannot be written${fileFault(error)}.` } }
}

/** Never overwrites an older backup with another content. Private, because an agent's file contains secrets. */
async function backUp (path: string, text: string, fileSystem: FileSystem): Promise<string> {
  for (let count = 1; ; count++) {
    const backup = join(dirname(path), `${basename(path)}.exploration-mcp${count > 1 ? `.${count}` : ''}.bak`)
    if (!fileSystem.exists(backup)) {
      await fileSystem.create(backup, text, 0o600)
      return backup
    }
    const { kind } = await fileSystem.find(backup)
    if (kind === 'file' && (await fileSystem.read(backup)).toString() === text) return backup
  }
}
