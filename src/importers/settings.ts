/** What a repository says itself about its import: `.exploration-mcp.json` in its root. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FromSchema } from 'json-schema-to-ts'
import schema from '#schemas/import_settings.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import { validator } from '../lib/schema/validator.js'
import { SETTINGS_FILE } from './settings-file.js'
import { codeOf } from './source/walk.js'

export type ImportSettings = FromSchema<typeof schema>

const check = validator<ImportSettings>(schema, { all: true })
const MAX_BYTES = 64 * 1024

/** Empty when there is no such file. @throws Refusal when it is not as the schema says. */
export const readImportSettings = async (root: string): Promise<ImportSettings> => {
  let text: string
  try {
    text = await readFile(join(root, SETTINGS_FILE), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return {}
    throw new Refusal(`${SETTINGS_FILE} cannot be read (${codeOf(error)}).`)
  }
  if (text.length > MAX_BYTES) throw new Refusal(`${SETTINGS_FILE} is longer than ${MAX_BYTES} bytes.`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Refusal(
      `${SETTINGS_FILE} is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`
    )
  }
  const checked = check(value)
  if (!checked.ok) throw new Refusal(`${SETTINGS_FILE}: ${checked.faults.join('; ')}.`)
  return checked.value
}
