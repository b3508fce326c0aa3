import neostandard from 'neostandard'
import tseslint from 'typescript-eslint'

// From the top to the bottom: a folder of src/ imports only from the folders below it, and the protocol engine (mcp) only from lib.
const FOLDERS = [
  'commands', 'server', 'web', 'oauth', 'api', 'telemetry', 'platform', 'cluster', 'search',
  'importers', 'db', 'coding-agents', 'planning', 'mcp', 'auth', 'audit', 'http', 'lib'
]
const DEEPEST = 5

/** @param {string} folder */
const forbidden = (folder) => {
  const below = folder === 'mcp' ? ['lib'] : FOLDERS.slice(FOLDERS.indexOf(folder) + 1)
  const shared = folder === 'mcp' || folder === 'lib' ? ['config\\.js', 'server-info\\.js'] : []
  return [...FOLDERS.filter((other) => other !== folder && !below.includes(other)).map((other) => `${other}/`), ...shared, 'cli\\.js']
}

// A relative path leaves its folder with as many "../" as the file is deep in it.
const zones = FOLDERS.flatMap((folder) => Array.from({ length: DEEPEST }, (_, level) => ({
  files: [`src/${folder}/${'*/'.repeat(level)}*.ts`],
  rules: {
    'no-restricted-imports': ['error', {
      patterns: [{
        regex: `^${'\\.\\./'.repeat(level + 1)}(?:${forbidden(folder).join('|')})`,
        message: `src/${folder} imports only from the folders below it: see FOLDERS in scripts/eslint.config.mjs.`
      }]
    }]
  }
})))

// Folders whose code, strings and templates included, has at most 120 columns.
const NARROW = ['audit', 'auth', 'commands', 'http', 'lib', 'mcp']
const NOT_YET_NARROW = ['dispatch', 'execution', 'run-handler', 'tasks/task-runner'].map((file) => `src/mcp/${file}.ts`)

export default [
  { ignores: ['dist/', 'node_modules/', '.tap/', '.test-build/', '.data/', '**/*.d.ts'] },
  ...neostandard({ ts: true }),
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: new URL('..', import.meta.url).pathname } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', {
        allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }]
      }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@stylistic/max-len': ['error', { code: 140, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }]
    }
  },
  {
    files: NARROW.map((folder) => `src/${folder}/**/*.ts`),
    ignores: NOT_YET_NARROW,
    rules: { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }] }
  },
  ...zones
]
