/** Joins the class names that apply: `classNames('a', on && 'b')` is `a b` or `a`. */
export const classNames = (...names: ReadonlyArray<string | false | undefined>): string =>
  names.filter(Boolean).join(' ')
