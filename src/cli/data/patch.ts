/** `patch`: what was changed here of plans that come from files, as a diff of those files. */
import { readConfig } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { PlanImport } from '../../importers/plan-import.js'
import { ImportReport } from '../../importers/report.js'
import { patchJson, patchOf } from '../../importers/write-back/patch.js'
import { rewriteSource } from '../../importers/write-back/rewrite.js'
import type { CommandHandler } from '../cli-context.js'
import { asJson, stripControlChars } from '../print/print.js'
import { withManagement } from '../with-management.js'

export const patch: CommandHandler<{ workspace?: string, from: string, since?: string }> = async (
  { workspace, from, since, json }, context, flags
) => {
  const { dataDir } = readConfig(context.env, flags)
  const plans = await PlanImport.open(from, { cwd: context.host.folder, workspace, exclude: [dataDir], history: false })
  const { key } = plans.source
  const { sources, explorations } = await withManagement(context, flags, (api) =>
    api.call('GET /plan-changes', { query: { workspace: plans.workspace, source: key, since } }))
  if (!sources.includes(key)) {
    throw new Refusal(`The workspace ${stripControlChars(plans.workspace)} does not come from ` +
      `${stripControlChars(from)} (${stripControlChars(key)}) but from ${sources.map(stripControlChars).join(', ') ||
      'no files'}: name its folder with --from, or the workspace with --workspace.`, 'not_found')
  }
  const made = await rewriteSource(plans, await plans.find(new ImportReport()), explorations, { disputed: true })
  const { files, left } = made
  context.stdout.write(json ? `${asJson(patchJson(made))}\n` : patchOf(files))
  if (json || left.length === 0) return
  context.stderr.write(['Not in the patch, but kept here:', ...left.map((one) => `  ${stripControlChars(one)}`), '']
    .join('\n'))
}
