/** The initials of a person, as decoration beside the name. */
import './avatar.css'

/** `Ada Lovelace` → `AL`; of an address its first letter. */
const initials = (name: string): string => {
  const words = name.trim().split(/[\s@]+/).filter((word) => /^\p{L}|\p{N}/u.test(word))
  const initialWords = name.includes('@') ? words.slice(0, 1) : [words[0], words.length > 1 ? words.at(-1) : undefined]
  return initialWords.map((word) => Array.from(word ?? '')[0] ?? '').join('').toUpperCase() || '·'
}

/** Draws the initials in a circle. */
export const Avatar = ({ name }: { name: string }) => <span class='avatar' aria-hidden='true'>{initials(name)}</span>
