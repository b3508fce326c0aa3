/** A turning circle. It says nothing by itself: what waits has `aria-busy` or a status in words. */
import './spinner.css'

/** Draws the circle. */
export const Spinner = () => (
  <svg
    class='spinner' width='16' height='16' viewBox='0 0 16 16' fill='none' stroke='currentColor' stroke-width='1.75'
    aria-hidden='true'
  >
    <circle cx='8' cy='8' r='6' opacity='.25' />
    <path d='M14 8a6 6 0 0 0-6-6' stroke-linecap='round' />
  </svg>
)
