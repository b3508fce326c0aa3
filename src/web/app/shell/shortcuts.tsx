/** The keys that work on every page, and the dialog that lists them. */
import { useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { closeDialog, showDialog } from '../components/show-dialog.js'
import { Kbd } from '../components/icon.js'
import { BASE_PATH } from '../lib/base-path.js'
import { useSessionState } from '../lib/session.js'
import { navigationFor, pagesOf, type NavigationPage } from './navigation.js'

export interface PageKey { key: string, label: string, run: () => void }

let pageKeys: readonly PageKey[] = []

/** Sets the keys of the page that is shown: the dialog lists them. */
export const usePageKeys = (keys: readonly PageKey[]): void => {
  // With what is drawn: a key pressed at once means what is seen.
  useLayoutEffect(() => {
    pageKeys = keys
    return () => { pageKeys = [] }
  })
}

const SEQUENCE_MS = 1500

export const openShortcuts = (): void => showDialog(<Keys />)

/** Whether a key is meant for a field or a dialog. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.nodeName)))

const focusSearch = (): boolean => {
  const field = [...document.querySelectorAll<HTMLInputElement>('[data-search]')].find((element) =>
    element.checkVisibility())
  field?.focus()
  field?.select()
  return field !== undefined
}

const useEntries = (): readonly NavigationPage[] =>
  navigationFor(useSessionState()?.session).flatMap((group) => group.entries).flatMap(pagesOf)

export const Shortcuts = () => {
  const { route } = useLocation()
  const entries = useEntries()
  const sequenceUntil = useRef(0)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const isSecond = event.timeStamp < sequenceUntil.current
      const target = isSecond ? entries.find((entry) => entry.key === event.key) : undefined
      const ofPage = pageKeys.find(({ key }) => key === event.key)
      sequenceUntil.current = event.key === 'g' ? event.timeStamp + SEQUENCE_MS : 0
      if (target) route(BASE_PATH + target.href)
      else if (ofPage) ofPage.run()
      else if (event.key === '?') openShortcuts()
      else if (event.key !== '/' || !focusSearch()) return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return null
}

const Keys = () => (
  <Dialog title='Keyboard shortcuts' footer={<Button onClick={closeDialog} data-autofocus>Close</Button>}>
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard */}
    <dl class='shortcuts' tabIndex={0}>
      {pageKeys.map(({ key, label }) => <div key={label}><dt>{label}</dt><dd><Kbd>{key}</Kbd></dd></div>)}
      <div><dt>Search on this page</dt><dd><Kbd>/</Kbd></dd></div>
      <div><dt>This list</dt><dd><Kbd>?</Kbd></dd></div>
      <div><dt>Close a dialog, empty a search</dt><dd><Kbd>Esc</Kbd></dd></div>
      {useEntries().map(({ label, key }) => (
        <div key={key}><dt>{label}</dt><dd><Kbd>g</Kbd> <Kbd>{key}</Kbd></dd></div>
      ))}
    </dl>
  </Dialog>
)
