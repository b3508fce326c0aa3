/** A choice from a list: the browser's own control, with the look of the other fields. */
import { Field, type FieldProps } from './field.js'
import { Icon } from './icon.js'

export interface Option<Value extends string> { value: Value, label: string }

export interface SelectProps<Value extends string> extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'hideLabel'> {
  options: ReadonlyArray<Option<Value>>
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean
}

/**
 * Draws the control; `onChange` gives the value of the chosen option. A value that is none of them, such as one from an
 * address, is shown as it is.
 */
export const Select = <Value extends string>(
  { label, hint, error, hideLabel, options: given, value, onChange, ...rest }: SelectProps<Value>
) => {
  const options = given.some((option) => option.value === value) ? given : [...given, { value, label: value }]
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <div class='select'>
          <select
            {...rest} {...control} class='input' value={value}
            onChange={({ currentTarget }) => {
              const selectedOption = options.find((option) => option.value === currentTarget.value)
              if (selectedOption) onChange(selectedOption.value)
            }}
          >
            {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
          </select>
          <Icon name='down' size={14} />
        </div>
      )}
    </Field>
  )
}
