/**
 * For programs that start ESLint, such as editors: the style of the code and the zones of imports, from the tables of .oxlint.config.mjs.
 * `npm run lint` checks more.
 */
import parser from '@typescript-eslint/parser'
import stylistic from '@stylistic/eslint-plugin'
import importZones from './lint/import-zones.mjs'
import { ACCESSIBILITY, TYPESCRIPT } from './lint/rules.mjs'
import { OTHER_LINES, SOURCE_LINES, STYLE } from './lint/style.mjs'

/**
 * A plugin whose rules check nothing: ESLint wants to know each rule that a comment disables.
 * @param {Record<string, unknown>} rules
 */
const checkedByOxlint = (rules) => ({
  rules: Object.fromEntries(Object.keys(rules).map((rule) => [rule.slice(rule.indexOf('/') + 1), { create: () => ({}) }]))
})

export default [
  { ignores: ['dist/', 'node_modules/', '.tap/', '.test-build/', '.data/', '**/*.d.ts'] },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.ts', '**/*.tsx'],
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    plugins: {
      '@stylistic': stylistic,
      project: importZones,
      'jsx-a11y': checkedByOxlint(ACCESSIBILITY),
      '@typescript-eslint': checkedByOxlint(TYPESCRIPT)
    },
    rules: STYLE
  },
  { files: ['test/**/*.ts', 'scripts/**/*.ts'], rules: { '@stylistic/max-len': OTHER_LINES } },
  { files: ['src/**/*.ts', 'src/**/*.tsx'], rules: { 'project/import-zones': 'error', '@stylistic/max-len': SOURCE_LINES } }
]
