/** What went wrong, read aloud at once. */
import type { ComponentChildren } from 'preact'
import { Note } from './note.js'

/** Draws the sentence as an alert. */
export const ErrorNote = ({ children }: { children: ComponentChildren }) => (
  <Note tone='bad' role='alert'>{children}</Note>
)
