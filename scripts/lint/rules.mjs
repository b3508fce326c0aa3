/** Rules of the linter that are not about style: those of neostandard, of typescript-eslint's strict set, and of jsx-a11y's. */

/** Rules with these names, as errors, with the linter's own options. */
export const errors = (/** @type {string} */ prefix, /** @type {string} */ names) =>
  Object.fromEntries(names.trim().split(/\s+/).map((name) => [`${prefix}${name}`, 'error']))

/** For every file. */
export const JAVASCRIPT = {
  ...errors('', `
    accessor-pairs array-callback-return constructor-super default-case-last no-array-constructor
    no-async-promise-executor no-caller no-case-declarations no-class-assign no-compare-neg-zero no-const-assign
    no-control-regex no-debugger no-delete-var no-dupe-class-members no-dupe-keys no-duplicate-case
    no-empty-character-class no-empty-pattern no-eval no-ex-assign no-extend-native no-extra-bind
    no-extra-boolean-cast no-fallthrough no-func-assign no-global-assign no-implied-eval no-import-assign
    no-invalid-regexp no-irregular-whitespace no-iterator no-labels no-lone-blocks no-loss-of-precision
    no-misleading-character-class no-multi-str no-new no-new-func no-new-native-nonconstructor no-new-wrappers
    no-obj-calls no-object-constructor no-proto no-prototype-builtins no-regex-spaces no-self-assign no-self-compare
    no-sequences no-shadow-restricted-names no-sparse-arrays no-template-curly-in-string no-this-before-super
    no-throw-literal no-unexpected-multiline no-unreachable no-unreachable-loop no-unsafe-finally
    no-useless-backreference no-useless-call no-useless-catch no-useless-constructor no-useless-escape
    no-useless-rename no-useless-return no-var no-void no-with node/no-exports-assign node/no-new-require
    node/no-path-concat prefer-const prefer-promise-reject-errors prefer-rest-params prefer-spread
    promise/param-names symbol-description unicode-bom yoda
  `),
  curly: ['error', 'multi-line'],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'new-cap': ['error', { capIsNew: false, newIsCap: true, properties: true }],
  'no-cond-assign': ['error', 'except-parens'],
  'no-constant-condition': ['error', { checkLoops: false }],
  'no-empty': ['error', { allowEmptyCatch: true }],
  'no-redeclare': ['error', { builtinGlobals: false }],
  'no-return-assign': ['error', 'except-parens'],
  'no-unneeded-ternary': ['error', { defaultAssignment: false }],
  'no-unsafe-negation': ['error', { enforceForOrderingRelations: false }],
  'no-unused-expressions': ['error', { allowShortCircuit: true, allowTaggedTemplates: true, allowTernary: true }],
  'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true, vars: 'all' }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-useless-computed-key': ['error', { enforceForClassMembers: true }],
  'node/handle-callback-err': ['error', '^(err|error)$'],
  'object-shorthand': ['error', 'properties'],
  'one-var': ['error', { initialized: 'never' }],
  'prefer-regex-literals': ['error', { disallowRedundantWrapping: true }],
  'use-isnan': ['error', { enforceForIndexOf: true, enforceForSwitchCase: true }],
  'valid-typeof': ['error', { requireStringLiterals: true }]
}

/** What ESLint has and oxlint lacks; scripts/lint/eslint-rules.mjs brings it. */
export const ESLINT = {
  'eslint-js/camelcase': ['error', { properties: 'never', ignoreGlobals: true, allow: ['^UNSAFE_'] }],
  'eslint-js/no-octal-escape': 'error',
  'eslint-js/no-undef-init': 'error',
  'eslint-js/no-unmodified-loop-condition': 'error',
  'n/no-callback-literal': 'error',
  'n/no-deprecated-api': 'error'
}

export const TYPESCRIPT = {
  ...errors('typescript/', `
    no-duplicate-enum-values no-empty-object-type no-explicit-any no-extra-non-null-assertion no-extraneous-class
    no-invalid-void-type no-misused-new no-namespace no-non-null-asserted-nullish-coalescing
    no-non-null-asserted-optional-chain no-require-imports no-this-alias no-unnecessary-type-constraint
    no-unsafe-declaration-merging no-unsafe-function-type no-wrapper-object-types prefer-as-const
    prefer-literal-enum-member prefer-namespace-keyword triple-slash-reference unified-signatures
  `),
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }]
}

/** They ask the compiler for types. */
export const TYPED = {
  'typescript/await-thenable': 'error',
  'typescript/no-floating-promises': ['error', {
    allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }]
  }],
  'typescript/no-misused-promises': 'error',
  'typescript/switch-exhaustiveness-check': 'error'
}

export const JSX = {
  ...errors('react/', `
    jsx-boolean-value jsx-no-comment-textnodes jsx-no-duplicate-props jsx-no-undef no-children-prop
    no-danger-with-children no-direct-mutation-state no-find-dom-node no-is-mounted no-render-return-value
    no-unescaped-entities require-render-return self-closing-comp
  `),
  'react/jsx-fragments': ['error', 'syntax'],
  'react/jsx-key': ['error', { checkFragmentShorthand: true, checkKeyMustBeforeSpread: false, warnOnDuplicates: false }],
  'react/jsx-no-target-blank': ['error', { enforceDynamicLinks: 'always', links: true, forms: false }],
  'react/no-string-refs': ['error', { noTemplateLiterals: true }]
}

// What a keyboard, a pointer or the focus starts.
const HANDLERS = [
  'onClick', 'onContextMenu', 'onDblClick', 'onDoubleClick', 'onDrag', 'onDragEnd', 'onDragEnter', 'onDragExit', 'onDragLeave',
  'onDragOver', 'onDragStart', 'onDrop', 'onMouseDown', 'onMouseEnter', 'onMouseLeave', 'onMouseMove', 'onMouseOut', 'onMouseOver',
  'onMouseUp', 'onKeyDown', 'onKeyPress', 'onKeyUp', 'onFocus', 'onBlur'
]

export const ACCESSIBILITY = {
  ...errors('jsx-a11y/', `
    alt-text anchor-has-content anchor-is-valid aria-activedescendant-has-tabindex aria-props aria-proptypes
    aria-role aria-unsupported-elements autocomplete-valid click-events-have-key-events heading-has-content
    html-has-lang iframe-has-title img-redundant-alt label-has-associated-control media-has-caption
    mouse-events-have-key-events no-access-key no-autofocus no-distracting-elements no-redundant-roles
    role-has-required-aria-props role-supports-aria-props scope tabindex-no-positive
  `),
  'jsx-a11y/interactive-supports-focus': ['error', {
    tabbable: ['button', 'checkbox', 'link', 'progressbar', 'searchbox', 'slider', 'spinbutton', 'switch', 'textbox']
  }],
  'jsx-a11y/no-interactive-element-to-noninteractive-role': ['error', { tr: [], canvas: [] }],
  'jsx-a11y/no-noninteractive-element-interactions': ['error', {
    body: ['onError', 'onLoad'], iframe: ['onError', 'onLoad'], img: ['onError', 'onLoad']
  }],
  'jsx-a11y/no-noninteractive-element-to-interactive-role': ['error', {
    ul: [], ol: [], li: [], table: [], td: [], tr: [], fieldset: []
  }],
  'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['application'], tags: [] }],
  'jsx-a11y/no-static-element-interactions': ['error', { handlers: HANDLERS, allowExpressionValues: false }]
}
