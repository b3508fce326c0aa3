/** Reads `.exploration-mcp.json`, the import settings in the root of a repository. */
import { join } from 'node:path'
import type { FromSchema } from 'json-schema-to-ts'
import schema from '#schemas/import_settings.json' with { type: 'json' }
import { Refusal } from '../lib/errors.js'
import { parseBoundedJson } from '../lib/json/json-depth.js'
import { validator } from '../lib/schema/validator.js'
import { SETTINGS_FILE } from './source/paths.js'
import { readStart } from './source/read-source.js'
import { isMissing, messageOf, unreadable } from '../lib/error-code.js'

export type ImportSettings = FromSchema<typeof schema>

const check = validator<ImportSettings>(schema, 'every')
const MAX_BYTES = 64 * 1024

/** The settings; empty when there is no such file. @throws {Refusal} when the file does not match the schema */
export const readImportSettings = async (root: string): Promise<ImportSettings> => {
  const file = await readStart(join(root, SETTINGS_FILE), MAX_BYTES).catch((error: unknown) => {
    if (!isMissing(error)) throw new Refusal(unreadable(SETTINGS_FILE, error))
  })
  if (!file) return {}
  if (file.size > MAX_BYTES) throw new Refusal(`${SETTINGS_FILE} is longer than ${MAX_BYTES} bytes.`)
  let value: unknown
  try {
    value = parseBoundedJson(file.bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Refusal(`${SETTINGS_FILE} is not JSON: ${messageOf(error)}.`)
  }
  const checked = check(value)
  if (!checked.ok) throw new Refusal(`${SETTINGS_FILE}: ${checked.faults.join('; ')}.`)
  return checked.value
}
