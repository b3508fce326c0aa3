/** The style of the code: that of @stylistic/eslint-plugin, with the preferences of neostandard. */
import stylistic from '@stylistic/eslint-plugin'
import { errors } from './rules.mjs'

const { rules } = stylistic.configs.customize({ braceStyle: '1tbs', commaDangle: 'never', quoteProps: 'as-needed', semi: false })

/** Length of lines in src/: strings and templates included; tables with one entry per line disable it. */
export const SOURCE_LINES = ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }]
/** Length of lines elsewhere. */
export const OTHER_LINES = ['error', {
  code: 140, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true
}]

// What the preferences would have otherwise than the code does.
const OFF = [
  'arrow-parens', 'indent-binary-ops', 'jsx-function-call-newline', 'jsx-max-props-per-line', 'jsx-one-expression-per-line',
  'max-statements-per-line', 'member-delimiter-style'
]

export const STYLE = {
  ...rules,
  ...Object.fromEntries(OFF.map((name) => [`@stylistic/${name}`, 'off'])),
  ...errors('@stylistic/', 'func-call-spacing jsx-pascal-case jsx-props-no-multi-spaces space-before-function-paren'),
  // JSX has an indentation of its own.
  '@stylistic/indent': ['error', 2, {
    SwitchCase: 1, offsetTernaryExpressions: true, ignoredNodes: ['TemplateLiteral *', 'JSXElement', 'JSXElement *', 'JSXOpeningElement']
  }],
  '@stylistic/jsx-indent': ['error', 2, { indentLogicalExpressions: true }],
  '@stylistic/jsx-quotes': ['error', 'prefer-single'],
  '@stylistic/jsx-wrap-multilines': ['error', { declaration: 'parens-new-line', assignment: 'parens-new-line', return: 'parens-new-line' }],
  '@stylistic/operator-linebreak': ['error', 'after', { overrides: { '?': 'before', ':': 'before' } }],
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: false }]
}
