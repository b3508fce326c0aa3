/** Search field and filters above a list. The key `/` leads to the first field of a page; Escape empties it. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon, Kbd, Spinner } from './icon.js'
import './fields.css'
import './search-field.css'

export interface SearchFieldProps {
  /** Its name, and what stands in it while it is empty. */
  label: string
  value: string
  onInput: (value: string) => void
  pending?: boolean
  /** Shows the key that leads here. */
  large?: boolean
  onEnter?: () => void
}

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

export const Filters = ({ children }: { children: ComponentChildren }) => <div class='filters'>{children}</div>
