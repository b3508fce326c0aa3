/** A sentence that matters, with an icon and the colour of its kind. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'
import './note.css'

type Tone = 'info' | 'good' | 'warn' | 'bad'

const ICONS: Record<Tone, IconName> = { info: 'info', good: 'check', warn: 'warning', bad: 'warning' }

interface NoteProps { tone?: Tone, children: ComponentChildren, role?: 'status' | 'alert' }

/** Draws the sentence; `role` makes screen readers read it when it appears. */
export const Note = ({ tone = 'info', children, role }: NoteProps) => (
  <div class={`note note-${tone}`} role={role}>
    <Icon name={ICONS[tone]} />
    <div>{children}</div>
  </div>
)

/** What went wrong, read aloud at once. */
export const ErrorNote = ({ children }: { children: ComponentChildren }) => (
  <Note tone='bad' role='alert'>{children}</Note>
)
