/** What the linter checks. It lies here because its paths are relative to its folder. */
import { fileURLToPath } from 'node:url'
import { ESLINT, JAVASCRIPT, JSX, OFF, TYPED, TYPESCRIPT } from './scripts/lint/rules.mjs'
import { OTHER_LINES, SOURCE_LINES, STYLE } from './scripts/lint/style.mjs'

/** @param {string} path */
const absolute = (path) => fileURLToPath(new URL(path, import.meta.url))

export default {
  plugins: ['typescript', 'node', 'promise', 'react', 'jsx-a11y', 'import'],
  jsPlugins: [
    { name: '@stylistic', specifier: fileURLToPath(import.meta.resolve('@stylistic/eslint-plugin')) },
    { name: 'n', specifier: fileURLToPath(import.meta.resolve('eslint-plugin-n')) },
    { name: 'eslint-js', specifier: absolute('scripts/lint/rules.mjs') },
    { name: 'project', specifier: absolute('scripts/lint/import-zones.mjs') }
  ],
  categories: { correctness: 'error' },
  env: { node: true, es2024: true },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist/', 'node_modules/', '.tap/', '.test-build/', '.data/', '**/*.d.ts'],
  rules: { ...OFF, ...JAVASCRIPT, ...ESLINT, ...STYLE },
  overrides: [
    { files: ['**/*.js', '**/*.mjs'], rules: { 'no-undef': 'error' } },
    { files: ['test/interop/mcp-app/bridge-host.mjs'], env: { browser: true } },
    { files: ['**/*.ts', '**/*.tsx'], rules: TYPESCRIPT },
    { files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'scripts/**/*.ts'], rules: { ...TYPED, '@stylistic/max-len': OTHER_LINES } },
    { files: ['src/**/*.ts', 'src/**/*.tsx'], rules: { 'project/import-zones': 'error', 'import/no-cycle': ['error', { ignoreTypes: false }], '@stylistic/max-len': SOURCE_LINES } },
    {
      files: ['src/web/app/**/*.ts', 'src/web/app/**/*.tsx'],
      rules: { ...JSX, 'no-void': ['error', { allowAsStatement: true }] }
    }
  ]
}
