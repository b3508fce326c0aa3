// @ts-expect-error -- it has no types
import jsxA11y from 'eslint-plugin-jsx-a11y'
import neostandard from 'neostandard'
import tseslint from 'typescript-eslint'

// From the top to the bottom: a folder of src/ imports only from the folders below it, and the protocol engine (mcp) only from lib.
const FOLDERS = [
  'commands', 'server', 'web', 'workbench', 'oauth', 'api', 'telemetry', 'platform', 'cluster', 'search',
  'importers', 'db', 'coding-agents', 'planning', 'mcp', 'auth', 'audit', 'http', 'lib'
]
const DEEPEST = 5

/** @param {string} folder */
const forbidden = (folder) => {
  const below = folder === 'mcp' ? ['lib'] : FOLDERS.slice(FOLDERS.indexOf(folder) + 1)
  const shared = folder === 'mcp' || folder === 'lib' ? ['config\\.js', 'server-info\\.js'] : []
  return [...FOLDERS.filter((other) => other !== folder && !below.includes(other)).map((other) => `${other}/`), ...shared, 'cli\\.js']
}

// The workbench is a user of the engine like any other.
/** @param {number} level */
const engineOnly = (level) => ({
  regex: `^${'\\.\\./'.repeat(level + 1)}mcp/(?!engine\\.js$)`,
  message: 'src/workbench takes from src/mcp only what exploration-mcp/engine exports.'
})

// A relative path leaves its folder with as many "../" as the file is deep in it.
const zones = FOLDERS.flatMap((folder) => Array.from({ length: DEEPEST }, (_, level) => ({
  files: ['ts', 'tsx'].map((ending) => `src/${folder}/${'*/'.repeat(level)}*.${ending}`),
  rules: {
    'no-restricted-imports': ['error', {
      patterns: [{
        regex: `^${'\\.\\./'.repeat(level + 1)}(?:${forbidden(folder).join('|')})`,
        message: `src/${folder} imports only from the folders below it: see FOLDERS in scripts/eslint.config.mjs.`
      }, ...folder === 'workbench' ? [engineOnly(level)] : []]
    }]
  }
})))

// Modules of the server, as seen from src/web, that the browser may use too.
const SHARED_WITH_BROWSER = [
  'page-paths', 'theme-cookie', 'api/fill-link', 'api/markdown-node', '\\.\\./lib/invisible', '\\.\\./lib/application-name'
]

/** Programs of the compiler that know the types for the rules; also checked by scripts/check-code.mjs. */
export const PROJECTS = ['./tsconfig.json', './src/web/app/tsconfig.json']
export const TYPED_FILES = ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'scripts/**/*.ts']

export default [
  { ignores: ['dist/', 'node_modules/', '.tap/', '.test-build/', '.data/', '**/*.d.ts'] },
  ...neostandard({ ts: true }),
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: TYPED_FILES,
    languageOptions: { parserOptions: { project: PROJECTS, tsconfigRootDir: new URL('..', import.meta.url).pathname } },
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
    // Strings and templates included; tables with one entry per line disable it.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }] }
  },
  ...zones,
  {
    ...jsxA11y.flatConfigs.strict,
    files: ['src/web/app/**/*.ts', 'src/web/app/**/*.tsx'],
    rules: {
      ...jsxA11y.flatConfigs.strict.rules,
      'react/jsx-handler-names': 'off',
      'no-void': ['error', { allowAsStatement: true }]
    }
  },
  // The browser gets nothing but this folder, modules without imports of their own, and types.
  ...Array.from({ length: 3 }, (_, level) => ({
    files: ['ts', 'tsx'].map((ending) => `src/web/app/${'*/'.repeat(level)}*.${ending}`),
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', {
        patterns: [{
          regex: `^(?:node:|(?:\\.\\./){${level + 1}}(?!(?:${SHARED_WITH_BROWSER.join('|')})\\.js$))`,
          allowTypeImports: true,
          message: 'Code of the server does not reach the browser: import types, or a module of SHARED_WITH_BROWSER.'
        }]
      }]
    }
  }))
]
