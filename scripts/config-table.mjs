// Writes docs/reference/configuration.md from schemas/config.json.
import { readFile } from 'node:fs/promises'
import { markdownTable, writePage } from './markdown.mjs'

/**
 * @typedef {{ description: string, default?: any, enum?: string[], minimum?: number, maximum?: number,
 *   writeOnly?: boolean }} Setting
 */
/** @type {{ properties: Record<string, Setting> }} */
const { properties } = JSON.parse(await readFile(new URL('../schemas/config.json', import.meta.url), 'utf8'))

/** @param {string} setting */
const variable = (setting) => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

/** @param {Setting} setting */
const values = ({ enum: choices, minimum, maximum }) => {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  return minimum === undefined ? '' : `${minimum}–${maximum}`
}

/** What testers of clients control, under a heading of its own. */
const PROTOCOL = new Set(['acceptRule', 'replyMode', 'revisions', 'sessions', 'headerValidation', 'wireLog', 'observe'])

/** @param {[name: string, setting: Setting]} entry */
const rowOf = ([name, setting]) => {
  const { default: value, description, writeOnly } = setting
  const names = [variable(name), ...(writeOnly ? [`${variable(name)}_FILE`] : [])].map((text) => `\`${text}\``)
  const shown = value === undefined || value.length === 0 ? '' : `\`${value}\``
  return [names.join(', '), shown, values(setting), description]
}

/** The table of the settings of one kind. */
const tableOf = (/** @type {boolean} */ isProtocol) => markdownTable(['variable', 'default', 'values', 'meaning'],
  Object.entries(properties).filter(([name]) => PROTOCOL.has(name) === isProtocol).map(rowOf))

await writePage('configuration.md', 'npm run generate from schemas/config.json', [
  '# Configuration',
  `The server reads environment variables. Options of \`serve\` (\`serve --help\`) win over them. A variable with a secret has a
second name that ends in \`_FILE\`: the path of a file that holds the value.`,
  'An unknown value stops the start with a sentence that names the variable.',
  'A variable of an earlier version that was removed is named at the start, with what to do instead.',
  tableOf(false),
  '## Control over the protocol',
  tableOf(true)
])
