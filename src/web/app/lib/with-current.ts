/** Options of a choice whose value comes from the address. */

export interface StringOption { value: string, label: string }

/** Returns the options with `value` among them, so that the field shows what the address says, whatever the list is. */
export const withCurrent = (options: readonly StringOption[], value: string): readonly StringOption[] =>
  options.some((option) => option.value === value) ? options : [...options, { value, label: value }]
