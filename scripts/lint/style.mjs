/** The style of the code: rules of @stylistic/eslint-plugin, which are those of neostandard. */
import { errors } from './rules.mjs'

// Their indentation is that of the rules named jsx.
const JSX_NODES = [
  'JSXElement', 'JSXElement > *', 'JSXAttribute', 'JSXIdentifier', 'JSXNamespacedName', 'JSXMemberExpression', 'JSXSpreadAttribute',
  'JSXExpressionContainer', 'JSXOpeningElement', 'JSXClosingElement', 'JSXFragment', 'JSXOpeningFragment', 'JSXClosingFragment', 'JSXText',
  'JSXEmptyExpression', 'JSXSpreadChild'
]

/** Length of lines in src/: strings and templates included; tables with one entry per line disable it. */
export const SOURCE_LINES = ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }]
/** Length of lines elsewhere. */
export const OTHER_LINES = ['error', {
  code: 140, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true
}]

export const STYLE = {
  ...errors('@stylistic/', `
    array-bracket-spacing arrow-spacing block-spacing comma-spacing comma-style computed-property-spacing eol-last
    func-call-spacing jsx-closing-tag-location jsx-equals-spacing jsx-first-prop-new-line jsx-props-no-multi-spaces
    key-spacing keyword-spacing new-parens no-floating-decimal no-mixed-spaces-and-tabs no-tabs no-trailing-spaces
    no-whitespace-before-property rest-spread-spacing semi-spacing space-before-blocks space-before-function-paren
    space-in-parens space-infix-ops space-unary-ops template-curly-spacing template-tag-spacing
  `),
  '@stylistic/brace-style': ['error', '1tbs', { allowSingleLine: true }],
  '@stylistic/comma-dangle': ['error', { arrays: 'ignore', enums: 'ignore', exports: 'ignore', imports: 'ignore', objects: 'ignore' }],
  '@stylistic/dot-location': ['error', 'property'],
  '@stylistic/generator-star-spacing': ['error', { before: true, after: true }],
  '@stylistic/indent': ['error', 2, {
    SwitchCase: 1,
    offsetTernaryExpressions: true,
    ignoredNodes: ['TemplateLiteral *', ...JSX_NODES]
  }],
  '@stylistic/jsx-closing-bracket-location': ['error', 'tag-aligned'],
  '@stylistic/jsx-curly-brace-presence': ['error', { props: 'never', children: 'never' }],
  '@stylistic/jsx-curly-newline': ['error', { multiline: 'consistent', singleline: 'consistent' }],
  '@stylistic/jsx-curly-spacing': ['error', {
    attributes: { when: 'never', allowMultiline: true }, children: { when: 'never', allowMultiline: true }
  }],
  '@stylistic/jsx-indent': ['error', 2, { checkAttributes: false, indentLogicalExpressions: true }],
  '@stylistic/jsx-indent-props': ['error', 2],
  '@stylistic/jsx-pascal-case': ['error', { allowAllCaps: false }],
  '@stylistic/jsx-quotes': ['error', 'prefer-single'],
  '@stylistic/jsx-tag-spacing': ['error', {
    closingSlash: 'never', beforeSelfClosing: 'always', afterOpening: 'never', beforeClosing: 'never'
  }],
  '@stylistic/jsx-wrap-multilines': ['error', {
    declaration: 'parens-new-line',
    assignment: 'parens-new-line',
    return: 'parens-new-line',
    arrow: 'ignore',
    condition: 'ignore',
    logical: 'ignore',
    prop: 'ignore'
  }],
  '@stylistic/lines-between-class-members': ['error', 'always', { exceptAfterSingleLine: true, exceptAfterOverload: true }],
  '@stylistic/multiline-ternary': ['error', 'always-multiline'],
  '@stylistic/no-extra-parens': ['error', 'functions'],
  '@stylistic/no-mixed-operators': ['error', {
    groups: [['==', '!=', '===', '!==', '>', '>=', '<', '<='], ['&&', '||'], ['in', 'instanceof']], allowSamePrecedence: true
  }],
  '@stylistic/no-multi-spaces': ['error', { ignoreEOLComments: true, includeTabs: true }],
  '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }],
  '@stylistic/object-curly-newline': ['error', { multiline: true, consistent: true }],
  '@stylistic/object-curly-spacing': ['error', 'always'],
  '@stylistic/object-property-newline': ['error', { allowMultiplePropertiesPerLine: true, allowAllPropertiesOnSameLine: false }],
  '@stylistic/operator-linebreak': ['error', 'after', { overrides: { '?': 'before', ':': 'before', '|>': 'before' } }],
  '@stylistic/padded-blocks': ['error', { blocks: 'never', switches: 'never', classes: 'never' }],
  '@stylistic/quote-props': ['error', 'as-needed'],
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: false }],
  '@stylistic/semi': ['error', 'never'],
  '@stylistic/spaced-comment': ['error', 'always', {
    line: { markers: ['*package', '!', '/', ',', '='] },
    block: { balanced: true, markers: ['*package', '!', ',', ':', '::', 'flow-include'], exceptions: ['*'] }
  }],
  '@stylistic/wrap-iife': ['error', 'any', { functionPrototypeMethods: true }],
  '@stylistic/yield-star-spacing': ['error', 'both']
}
