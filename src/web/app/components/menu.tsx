/** A button that opens a list of actions: the browser's popover, with arrow keys, Home, End and letters. */
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'
import { showDialog } from './show-dialog.js'
import './menu.css'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  /** What it does: opens a dialog, goes to an address, or something else. */
  dialog?: VNode
  href?: string
  onSelect?: () => void
}

export interface MenuProps {
  /** The name of the list, and of a button that shows only an icon. */
  label: string
  items: readonly MenuItem[]
  /** What the button shows; three points when absent. */
  children?: ComponentChildren
  class?: string
}

export const Menu = ({ label, items, children, class: own = 'icon-button' }: MenuProps) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const entries = (): HTMLElement[] =>
    [...list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []]

  useEffect(() => {
    const element = list.current
    if (!open || !element || !button.current) return
    place(element, button.current)
    entries()[0]?.focus()
  }, [open])

  const move = (event: KeyboardEvent): void => {
    const all = entries()
    const at = all.findIndex((entry) => entry === document.activeElement)
    const target = nextEntry(event.key, at, all)
    if (event.key === 'Tab') list.current?.hidePopover()
    if (!target) return
    event.preventDefault()
    target.focus()
  }

  return (
    <>
      <button
        ref={button} type='button' class={own} aria-label={children === undefined ? label : undefined}
        title={children === undefined ? label : undefined} aria-haspopup='menu' aria-expanded={open} popovertarget={id}
      >
        {children ?? <Icon name='more' />}
      </button>
      {/* eslint-disable-next-line jsx-a11y/interactive-supports-focus -- its entries take the focus */}
      <div
        ref={list} id={id} role='menu' aria-label={label} class='menu' popover='auto' onKeyDown={move}
        onToggle={(event) => setOpen('newState' in event && event.newState === 'open')}
      >
        {open && items.map((item) => <Entry key={item.label} item={item} close={() => list.current?.hidePopover()} />)}
      </div>
    </>
  )
}

const Entry = ({ item, close }: { item: MenuItem, close: () => void }) => {
  const content = <>{item.icon && <Icon name={item.icon} />}<span>{item.label}</span></>
  const className = item.danger ? 'menu-item menu-item-danger' : 'menu-item'
  if (item.href !== undefined) {
    return <a role='menuitem' tabIndex={-1} class={className} href={item.href} onClick={close}>{content}</a>
  }
  return (
    <button
      type='button' role='menuitem' tabIndex={-1} class={className}
      onClick={() => {
        close()
        if (item.dialog) showDialog(item.dialog)
        item.onSelect?.()
      }}
    >{content}
    </button>
  )
}

const nextEntry = (key: string, at: number, all: HTMLElement[]): HTMLElement | undefined => {
  switch (key) {
    case 'ArrowDown': return all[(at + 1) % all.length]
    case 'ArrowUp': return all[(at - 1 + all.length) % all.length]
    case 'Home': return all[0]
    case 'End': return all.at(-1)
    default: return key.length === 1
      ? [...all.slice(at + 1), ...all].find((entry) => startsWith(entry, key))
      : undefined
  }
}

const startsWith = (entry: HTMLElement, key: string): boolean =>
  entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase())

const GAP = 4

/** Puts a list below its button, above where there is no room, and inside the window. */
const place = (list: HTMLElement, button: HTMLElement): void => {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const below = bottom + GAP + height <= innerHeight
  const preferredLeft = left + width + GAP <= innerWidth ? left : right - width
  list.style.left = `${Math.max(GAP, Math.min(preferredLeft, innerWidth - width - GAP))}px`
  list.style.top = `${Math.max(GAP, below ? bottom + GAP : top - height - GAP)}px`
}
