/** A key of the keyboard. */
import './kbd.css'

/** Draws the name of one key. */
export const Kbd = ({ children }: { children: string }) => <kbd class='kbd'>{children}</kbd>
