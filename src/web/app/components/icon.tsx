/** Small marks beside words: icons, the turning circle, a key, initials. They say nothing by themselves. */
import './icon.css'

const PATHS = {
  explore: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM10.3 5.7 9 9l-3.3 1.3L7 7Z',
  inbox: 'M2 9.5 4 3h8l2 6.5V13H2ZM2 9.5h3.5l1 2h3l1-2H14',
  plan: 'M2.5 2.5h4v3h-4zM9.5 10.5h4v3h-4zM4.5 5.5V12h5',
  plug: 'M6 1.5v3M10 1.5v3M4.5 4.5h7v2.5a3.5 3.5 0 0 1-7 0zM8 10.5v4',
  key: 'M9.9 9.6a3.7 3.7 0 1 0-3.5-3.5L2 10.5V14h3.5v-2H7.5v-2zM11 5h.01',
  token: 'M2 4.5h12v7H2zM4.8 8h.01M8 8h.01M11.2 8h.01',
  device: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  chart: 'M2.5 13.5h11M4.5 11V7M8 11V2.5M11.5 11V5',
  log: 'M4 1.5h5.5L12.5 4.5v10H4zM9.5 1.5v3h3M6 8h4.5M6 11h4.5',
  people: 'M6 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 6 8ZM1.5 13.5c.3-2.3 2-3.5 4.5-3.5s4.2 1.2 4.5 3.5M10.5 3a2.5 ' +
    '2.5 0 0 1 0 4.8M12 10.2c1.5.4 2.4 1.5 2.6 3.3',
  workspace: 'M2 5.5 8 2.5l6 3-6 3zM2 8.5l6 3 6-3M2 11.2l6 3 6-3',
  server: 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.01M5 11.25h.01',
  shield: 'M8 1.5 13 3.5v4c0 3.2-2 5.6-5 7-3-1.4-5-3.8-5-7v-4z',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14c.4-2.6 2.6-4 5.5-4s5.1 1.4 5.5 4',
  signOut: 'M6.5 2.5H3v11h3.5M6.5 8H14M11 5l3 3-3 3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'm3 8.5 3.2 3.2L13 5',
  close: 'm4 4 8 8M12 4l-8 8',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.6h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.2v3.6M8 5.2h.01',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.6M8 10.8h.01',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.4',
  down: 'm4 6.2 4 4 4-4',
  right: 'm6.2 4 4 4-4 4',
  sortUp: 'M8 13V3.5M4.5 7 8 3.5 11.5 7',
  sortDown: 'M8 3v9.5M4.5 9 8 12.5 11.5 9',
  external: 'M6.5 3H3v10h10V9.5M9.5 2.5h4v4M13.5 2.5 7.5 8.5',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.7 3.9M13.5 1.8v3h-3',
  rotate: 'M2.5 8A5.5 5.5 0 0 1 12 4.2L13.5 5.7M13.5 2.5v3.2h-3.2M13.5 8A5.5 5.5 0 0 1 4 11.8L2.5 10.3M2.5 ' +
    '13.5v-3.2h3.2',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.8v4M9.3 6.8v4',
  edit: 'M10.5 2.7 13.3 5.5 5.5 13.3l-3.3.5.5-3.3z',
  download: 'M8 2.5v8M4.5 7.2 8 10.7l3.5-3.5M2.5 13.5h11',
  upload: 'M8 11V3M4.5 6.3 8 2.8l3.5 3.5M2.5 13.5h11',
  link: 'M6.7 9.3 9.3 6.7M7.3 4.5 8.8 3a2.97 2.97 0 0 1 4.2 4.2l-1.5 1.5M8.7 11.5 7.2 13A2.97 2.97 0 0 1 3 8.8l1.5-1.5',
  system: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  passkey: 'M5.8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM1.5 13.5c.3-2.5 1.9-3.9 4.3-3.9.9 0 1.7.2 2.4.6M12 ' +
    '8.5a2 2 0 0 1 .8 3.8v1.2l-.8 1-.8-1v-1.2A2 2 0 0 1 12 8.5Z',
  history: 'M2.5 8A5.5 5.5 0 1 0 4.3 3.9M2.5 1.8v3h3M8 5v3.2l2 1.3',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6'
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name, size = 16 }: { name: IconName, size?: number }) => (
  <svg
    class='icon' width={size} height={size} viewBox='0 0 16 16' fill='none' stroke='currentColor' stroke-width='1.5'
    stroke-linecap='round' stroke-linejoin='round' aria-hidden='true'
  >
    <path d={PATHS[name]} />
  </svg>
)

export const Spinner = () => (
  <svg
    class='spinner' width='16' height='16' viewBox='0 0 16 16' fill='none' stroke='currentColor' stroke-width='1.75'
    aria-hidden='true'
  >
    <circle cx='8' cy='8' r='6' opacity='.25' />
    <path d='M14 8a6 6 0 0 0-6-6' stroke-linecap='round' />
  </svg>
)

export const Kbd = ({ children }: { children: string }) => <kbd class='kbd'>{children}</kbd>

/** `Ada Lovelace` → `AL`; of an address its first letter. */
const initials = (name: string): string => {
  const words = name.trim().split(/[\s@]+/).filter((word) => /^\p{L}|\p{N}/u.test(word))
  const initialWords = name.includes('@') ? words.slice(0, 1) : [words[0], words.length > 1 ? words.at(-1) : undefined]
  return initialWords.map((word) => Array.from(word ?? '')[0] ?? '').join('').toUpperCase() || '·'
}

export const Avatar = ({ name }: { name: string }) => <span class='avatar' aria-hidden='true'>{initials(name)}</span>
