// Writes the table of settings between the markers of README.md, from schemas/config.json.
import { readFile, writeFile } from 'node:fs/promises'

const readme = new URL('../README.md', import.meta.url)
/** @type {{ properties: Record<string, { description: string, default?: any, enum?: string[], minimum?: number, maximum?: number, writeOnly?: boolean }> }} */
const { properties } = JSON.parse(await readFile(new URL('../schemas/config.json', import.meta.url), 'utf8'))

/** @param {string} setting */
const variable = (setting) => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

const rows = Object.entries(properties).map(([setting, { description, default: value, enum: choices, minimum, maximum, writeOnly }]) => {
  const rule = choices ? choices.map((choice) => `\`${choice}\``).join(', ') : minimum === undefined ? '' : `${minimum}–${maximum}`
  const names = [variable(setting), ...(writeOnly ? [`${variable(setting)}_FILE`] : [])].map((name) => `\`${name}\``).join(', ')
  const shown = value === undefined || value.length === 0 ? '' : `\`${value}\``
  return `| ${names} | ${shown} | ${rule} | ${description} |`
})
const table = ['| variable | default | values | meaning |', '|---|---|---|---|', ...rows].join('\n')

const marked = /(<!-- config:start[^>]*-->\n)[^]*?(\n<!-- config:end -->)/
const text = await readFile(readme, 'utf8').catch(() => '')
if (marked.test(text)) await writeFile(readme, text.replace(marked, (_, start, end) => `${start}${table}${end}`))
