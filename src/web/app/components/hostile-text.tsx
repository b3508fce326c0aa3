/** A short text of a stranger: cut, on its own whatever its direction, with invisible characters written out. */
import { escapeInvisible } from '../../../lib/text/invisible.js'
import './states.css'

const MAX_LENGTH = 120
const ESCAPE = /(\\u[0-9a-f]{4})/

/** Cuts between characters, never inside one. */
const shorten = (text: string): string => {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : text
}

export const HostileText = ({ text }: { text: string }) => (
  <bdi class='hostile-text'>
    {escapeInvisible(shorten(text)).split(ESCAPE).map((part, index) => index % 2 === 0
      ? part
      : <mark key={index} class='unseen' title='An invisible character'>{part}</mark>)}
  </bdi>
)
