/** Controls with a label, and with a hint or what is wrong below it: one line of text, a date, a choice from a list. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Query } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import './fields.css'

export const Form = ({ onSubmit, children }: { onSubmit: () => void, children: ComponentChildren }) => (
  <form
    class='form' noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >{children}
  </form>
)

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: ComponentChildren
  hint?: ComponentChildren
  /** What is wrong with the value, as a sentence. It takes the place of the hint. */
  error?: string | undefined
  hideLabel?: boolean
  children: (control: ControlProps) => ComponentChildren
}

/** Draws label, control and note; `children` gets the attributes that connect the control with them. */
export const Field = ({ label, hint, error, hideLabel = false, children }: FieldProps) => {
  const id = useId()
  const described = error !== undefined || hint !== undefined
  return (
    <div class='field'>
      <label class={hideLabel ? 'visually-hidden' : 'field-label'} htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described ? `${id}-note` : undefined,
        'aria-invalid': error === undefined ? undefined : true
      })}
      {described && (
        <div
          class={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-note`}
          role={error === undefined ? undefined : 'alert'}
        >
          {error === undefined ? hint : <><Icon name='error' size={14} /><span>{error}</span></>}
        </div>
      )}
    </div>
  )
}

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
  min?: string
  /** Monospaced, for codes and addresses. */
  code?: boolean
}

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

export interface Option<Value extends string> { value: Value, label: string }

export interface SelectProps<Value extends string> extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'hideLabel'> {
  options: ReadonlyArray<Option<Value>>
  value: Value
  onInput: (value: Value) => void
  disabled?: boolean
}

/**
 * Draws the control; `onInput` gives the value of the chosen option. A value that is none of them, such as one from an
 * address, is shown as it is.
 */
export const Select = <Value extends string>(
  { label, hint, error, hideLabel, options: given, value, onInput, ...rest }: SelectProps<Value>
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
              if (selectedOption) onInput(selectedOption.value)
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

interface WorkspaceSelectProps extends Omit<SelectProps<string>, 'label' | 'options'> {
  /** Which there are beside the person's own. */
  which?: Query<'GET /workspaces'>
  /** What '' stands for. */
  none?: string
}

export const WorkspaceSelect = ({ which = {}, none = 'All workspaces', ...select }: WorkspaceSelectProps) => {
  const workspaces = useOperation('GET /workspaces', { query: which }).value?.workspaces ?? []
  const options = workspaces.map(({ slug, name }) => ({ value: slug, label: name }))
  return <Select label='Workspace' {...select} options={[{ value: '', label: none }, ...options]} />
}
