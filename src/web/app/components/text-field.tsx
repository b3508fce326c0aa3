/** Fields for text: one line, a date. `onInput` gives the value itself. */
import { classNames } from './class-names.js'
import { Field, type FieldProps } from './field.js'

interface TextFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  value: string
  onInput: (value: string) => void
  required?: boolean
  disabled?: boolean
  maxLength?: number
  placeholder?: string
  autocomplete?: 'off' | 'name' | 'one-time-code'
  spellcheck?: boolean
  type?: 'text' | 'email' | 'date'
  inputMode?: 'email'
  /** The first date. */
  min?: string
  /** Monospaced, for codes and addresses. */
  code?: boolean
}

/** Draws a field of one line; `onInput` gives its text at each key. */
export const TextField = (
  { label, hint, error, value, onInput, code = false, type = 'text', ...rest }: TextFieldProps
) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      // The types of JSX want one type of input, not one of several.
      <input
        autocomplete='off' {...rest} {...control} type={type as 'text'}
        class={classNames('input', code && 'input-code')} value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  </Field>
)

/** A date as `YYYY-MM-DD`; empty while none is chosen. */
export const DateField = (props: TextFieldProps) => <TextField {...props} type='date' />
