/** Choices that are all visible: cards of which one is chosen, a box to tick, a list of boxes. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { classNames } from './class-names.js'
import './choices.css'

export interface Choice<Value extends string> {
  value: Value
  label: string
  description?: string
  note?: string
  disabled?: boolean
}

export interface RadioCardsProps<Value extends string> {
  label: string
  choices: ReadonlyArray<Choice<Value>>
  value: Value
  onChange: (value: Value) => void
}

export const RadioCards = <Value extends string>({ label, choices, value, onChange }: RadioCardsProps<Value>) => {
  const name = useId()
  return (
    <div class='choices' role='radiogroup' aria-labelledby={`${name}-label`}>
      <span class='field-label' id={`${name}-label`}>{label}</span>
      <div class='choices-list rows'>
        {choices.map((choice) => (
          <label key={choice.value} class={classNames('choice', choice.value === value && 'choice-on')}>
            <input
              type='radio' name={name} value={choice.value} checked={choice.value === value} disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
            />
            <span class='choice-text'>
              <span class='choice-label'>{choice.label}</span>
              {choice.description !== undefined && <span class='choice-description'>{choice.description}</span>}
            </span>
            {choice.note !== undefined && <span class='choice-note'>{choice.note}</span>}
          </label>
        ))}
      </div>
    </div>
  )
}

export interface CheckboxProps {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string
}

export const Checkbox = ({ label, checked, onChange, hint }: CheckboxProps) => (
  <label class='checkbox'>
    <input type='checkbox' checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    <span>{label}{hint !== undefined && <span class='choice-description'>{hint}</span>}</span>
  </label>
)

export interface CheckboxListProps {
  label: string
  options: ReadonlyArray<{ value: string, label: string }>
  values: readonly string[]
  onChange: (values: string[]) => void
}

export const CheckboxList = ({ label, options, values, onChange }: CheckboxListProps) => (
  <fieldset class='choices'>
    <legend class='field-label'>{label}</legend>
    <div class='choices-list checkbox-list'>
      {options.map((option) => (
        <Checkbox
          key={option.value} label={option.label} checked={values.includes(option.value)}
          onChange={(on) => onChange(
            on ? [...values, option.value] : values.filter((value) => value !== option.value)
          )}
        />
      ))}
    </div>
  </fieldset>
)
