/** Short messages at the edge of the window: what was done goes by itself, what failed stays until it is closed. */
import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from './button.js'
import { Icon } from './icon.js'
import './toast.css'

/** What can be done about it, such as *Undo*: the message goes when it is pressed. */
interface ToastAction { label: string, run: () => void }

interface ToastMessage { id: number, text: string, tone: 'good' | 'bad', action: ToastAction | undefined }

const VISIBLE_MS = 6000
const VISIBLE_WITH_ACTION_MS = 20_000
const MAX_MESSAGES = 3

type Update = (change: (messages: readonly ToastMessage[]) => readonly ToastMessage[]) => void

let last = 0
let update: Update = () => {}

/** Shows a sentence such as `Key revoked.` */
export const showToast = (text: string, tone: ToastMessage['tone'] = 'good', action?: ToastAction): void =>
  update((messages) => [...messages, { id: ++last, text, tone, action }].slice(-MAX_MESSAGES))

const dismiss = (id: number): void => update((messages) => messages.filter((message) => message.id !== id))

/** Where the messages stand: once, in the shell. */
export const Toasts = () => {
  const [shown, setShown] = useState<readonly ToastMessage[]>([])
  update = setShown
  return (
    <div class='toasts' role='status' aria-live='polite'>
      {shown.map((message) => <Toast key={message.id} {...message} />)}
    </div>
  )
}

const Toast = ({ id, text, tone, action }: ToastMessage) => {
  useEffect(() => {
    if (tone === 'bad') return
    const timer = setTimeout(() => dismiss(id), action ? VISIBLE_WITH_ACTION_MS : VISIBLE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={`toast toast-${tone}`}>
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <span>{text}</span>
      {action && <Button size='s' variant='ghost' onClick={() => { dismiss(id); action.run() }}>{action.label}</Button>}
      <IconButton icon='close' label='Close' onClick={() => dismiss(id)} />
    </div>
  )
}
