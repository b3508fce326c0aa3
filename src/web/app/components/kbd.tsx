/** A key of the keyboard. */
import './kbd.css'

export const Kbd = ({ children }: { children: string }) => <kbd class='kbd'>{children}</kbd>
