/** The mark of the application, and the frame of pages for people who are not signed in: one narrow column. */
import type { ComponentChildren } from 'preact'
import './shell.css'

export const Brand = () => (
  <span class='brand'>
    <svg width='20' height='20' viewBox='0 0 20 20' aria-hidden='true'>
      <rect width='20' height='20' rx='5' class='brand-fill' />
      <path d='M10 3.6 16.4 10 10 16.4 3.6 10Z' fill='none' stroke='#fff' stroke-width='1.5' stroke-linejoin='round' />
      <circle cx='10' cy='10' r='1.9' fill='#fff' />
    </svg>
    Exploration
  </span>
)

export const PublicFrame = ({ children }: { children: ComponentChildren }) => (
  <div class='public-frame'>
    <header class='public-header'><Brand /></header>
    <main id='main' tabIndex={-1}>{children}</main>
  </div>
)
