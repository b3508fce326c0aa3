/** Rules of the linter that are not about style, beside its own category of correctness: those of neostandard, and of typescript-eslint's strict set. */
import { builtinRules } from 'eslint/use-at-your-own-risk'

/** Rules with these names, as errors, with the linter's own options. */
export const errors = (/** @type {string} */ prefix, /** @type {string} */ names) =>
  Object.fromEntries(names.trim().split(/\s+/).map((name) => [`${prefix}${name}`, 'error']))

/** For every file. */
export const JAVASCRIPT = {
  ...errors('', `
    accessor-pairs array-callback-return default-case-last no-array-constructor no-case-declarations no-extend-native
    no-extra-bind no-fallthrough no-implied-eval no-labels no-lone-blocks no-multi-str no-new no-new-func
    no-new-wrappers no-object-constructor no-proto no-prototype-builtins no-regex-spaces no-self-compare
    no-sequences no-template-curly-in-string no-throw-literal no-unexpected-multiline no-unneeded-ternary
    no-unreachable-loop no-useless-call no-useless-computed-key no-useless-constructor no-useless-return no-var
    no-void node/no-exports-assign node/no-new-require node/no-path-concat prefer-const
    prefer-promise-reject-errors prefer-rest-params prefer-spread promise/param-names symbol-description
    unicode-bom yoda
  `),
  curly: ['error', 'multi-line'],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'new-cap': ['error', { capIsNew: false }],
  'no-constant-condition': ['error', { checkLoops: false }],
  'no-empty': ['error', { allowEmptyCatch: true }],
  'no-redeclare': ['error', { builtinGlobals: false }],
  'no-return-assign': ['error', 'except-parens'],
  'no-unused-expressions': ['error', { allowShortCircuit: true, allowTaggedTemplates: true, allowTernary: true }],
  'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'node/handle-callback-err': ['error', '^(err|error)$'],
  'object-shorthand': ['error', 'properties'],
  'one-var': ['error', { initialized: 'never' }],
  'prefer-regex-literals': ['error', { disallowRedundantWrapping: true }]
}

/** What ESLint has, and oxlint lacks or has with reports of what is no fault. */
export const ESLINT = {
  'eslint-js/camelcase': ['error', { properties: 'never', ignoreGlobals: true, allow: ['^UNSAFE_'] }],
  'eslint-js/no-octal-escape': 'error',
  'eslint-js/no-undef-init': 'error',
  'eslint-js/no-unmodified-loop-condition': 'error',
  'n/no-callback-literal': 'error',
  'n/no-deprecated-api': 'error'
}
/** A plugin of the linter, with those of ESLint itself. */
export default {
  meta: { name: 'eslint-js' },
  rules: Object.fromEntries(['camelcase', 'no-octal-escape', 'no-undef-init', 'no-unmodified-loop-condition'].map((name) => [name, builtinRules.get(name)]))
}

export const TYPESCRIPT = {
  ...errors('typescript/', `
    no-empty-object-type no-explicit-any no-extraneous-class no-invalid-void-type no-namespace
    no-non-null-asserted-nullish-coalescing no-require-imports no-unnecessary-type-constraint
    no-unsafe-function-type prefer-literal-enum-member unified-signatures
  `),
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }]
}

/** They ask the compiler for types. */
export const TYPED = {
  'typescript/no-floating-promises': ['error', {
    allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }]
  }],
  ...errors('typescript/', 'await-thenable no-misused-promises switch-exhaustiveness-check')
}

/** Of the category of correctness: what is no fault here, or what asks the compiler about code without types. */
export const OFF = Object.fromEntries(`
  jsx-a11y/prefer-tag-over-role no-unsafe-optional-chaining promise/no-callback-in-promise react/exhaustive-deps
  react/globals react/immutability react/purity typescript/await-thenable typescript/no-base-to-string
  typescript/no-floating-promises typescript/no-misused-spread typescript/no-redundant-type-constituents
  typescript/no-unsafe-unary-minus typescript/no-useless-default-assignment
  typescript/require-array-sort-compare typescript/restrict-template-expressions typescript/unbound-method
`.trim().split(/\s+/).map((name) => [name, 'off']))

export const JSX = {
  ...errors('react/', 'jsx-boolean-value jsx-fragments jsx-no-comment-textnodes jsx-no-target-blank no-unescaped-entities self-closing-comp'),
  'jsx-a11y/no-noninteractive-element-to-interactive-role': ['error', {
    ul: [], ol: [], li: [], table: [], td: [], tr: [], fieldset: []
  }],
  'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['application'], tags: [] }]
}
