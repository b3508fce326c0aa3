/** A field to search or filter by. The key `/` puts the focus into the first one of a page; Escape empties it. */
import { useRef } from 'preact/hooks'
import { Icon } from './icon.js'
import { Kbd } from './kbd.js'
import { Spinner } from './spinner.js'
import './field.css'
import './search-field.css'

export interface SearchFieldProps {
  /** Its name, and what stands in it while it is empty. */
  label: string
  value: string
  onInput: (value: string) => void
  /** Shows that results are on their way. */
  pending?: boolean
  /** Shows the key that leads here. */
  large?: boolean
  onEnter?: () => void
}

/** Draws the field; `onInput` gives the text at each key. */
export const SearchField = (
  { label, value, onInput, pending = false, large = false, onEnter }: SearchFieldProps
) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class={large ? 'search-field search-field-large' : 'search-field'}>
      {pending ? <Spinner /> : <Icon name='search' />}
      <input
        ref={input}
        type='search'
        class='input'
        aria-label={label}
        placeholder={label}
        value={value}
        autocomplete='off'
        spellcheck={false}
        enterkeyhint='search'
        data-search
        aria-keyshortcuts='/'
        maxLength={300}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter?.()
          if (event.key !== 'Escape') return
          if (value === '') input.current?.blur()
          else onInput('')
        }}
      />
      {large && value === '' && <Kbd>/</Kbd>}
    </div>
  )
}
