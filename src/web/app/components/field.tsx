/** A control with its label, and with a hint or what is wrong below it. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.js'
import './field.css'

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: ComponentChildren
  /** What to know before filling it in. */
  hint?: ComponentChildren
  /** What is wrong with the value, as a sentence. It takes the place of the hint. */
  error?: string | undefined
  /** Keeps the label for screen readers only. */
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
