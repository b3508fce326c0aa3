/** The frame of pages for people who are not signed in: one narrow column. */
import type { ComponentChildren } from 'preact'
import { Brand } from './brand.js'
import './shell.css'

/** Draws the frame around a page. */
export const PublicFrame = ({ children }: { children: ComponentChildren }) => (
  <div class='public-frame'>
    <header class='public-header'><Brand /></header>
    <main id='main' tabIndex={-1}>{children}</main>
  </div>
)
