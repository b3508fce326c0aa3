/** Fields for text: one line, several lines, a date. `onInput` gives the value itself. */
import { classNames } from './class-names.js'
import { Field, type FieldProps } from './field.js'

type Labels = Pick<FieldProps, 'label' | 'hint' | 'error' | 'hideLabel'>

interface TextControl {
  value: string
  onInput: (value: string) => void
  name?: string
  required?: boolean
  disabled?: boolean
  maxLength?: number
  placeholder?: string
  autocomplete?: 'off' | 'name' | 'email' | 'one-time-code' | 'username webauthn'
  spellcheck?: boolean
}

export interface TextFieldProps extends Labels, TextControl {
  type?: 'text' | 'email' | 'url' | 'date' | 'number'
  inputMode?: 'text' | 'numeric' | 'email' | 'url'
  /** Bounds of a date or a number. */
  min?: string
  max?: string
  /** Monospaced, for codes and addresses. */
  code?: boolean
}

/** Draws a field of one line; `onInput` gives its text at each key. */
export const TextField = (
  { label, hint, error, hideLabel, value, onInput, code = false, type = 'text', ...rest }: TextFieldProps
) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
    {(control) => (
      // The types of JSX want one type of input, not one of several.
      <input
        autocomplete='off'
        {...rest}
        {...control}
        type={type as 'text'}
        class={classNames('input', code && 'input-code')}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  </Field>
)

/** A date as `YYYY-MM-DD`; empty while none is chosen. */
export const DateField = (props: TextFieldProps) => <TextField {...props} type='date' />

export interface TextAreaProps extends Labels, TextControl { rows?: number }

/** Draws a field of several lines; `onInput` gives its text at each key. */
export const TextArea = ({ label, hint, error, hideLabel, value, onInput, ...rest }: TextAreaProps) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
    {(control) => (
      <textarea
        rows={4}
        {...rest}
        {...control}
        class='input'
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  </Field>
)
