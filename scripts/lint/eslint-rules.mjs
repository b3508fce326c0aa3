/** A plugin of the linter: rules of ESLint that oxlint has not, or whose twin in oxlint reports what is no fault. */
import { builtinRules } from 'eslint/use-at-your-own-risk'

const NAMES = ['camelcase', 'no-octal-escape', 'no-undef-init', 'no-unmodified-loop-condition']

export default {
  meta: { name: 'eslint-js' },
  rules: Object.fromEntries(NAMES.map((name) => [name, builtinRules.get(name)]))
}
