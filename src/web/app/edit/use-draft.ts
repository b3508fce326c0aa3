/** What a person has typed into a form and not saved: it stays over a reload, the end of a session, and a conflict. */
import { useState } from 'preact/hooks'
import type { Values } from './form.js'

/** The fields that were changed, and the revision of the record that they were changed in. */
export interface Draft { mine: Values, revision: number | null }

const read = (key: string): Draft | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps the draft of a form in this browser; `key` names the person, the record and the form. */
export const useDraft = (key: string, revision: number | null) => {
  const [stored] = useState(() => read(key))
  const [draft, setDraft] = useState(stored ?? { mine: {}, revision })
  const [tooLong, setTooLong] = useState(false)
  const keep = (next: Draft): void => {
    setDraft(next)
    try {
      if (Object.keys(next.mine).length === 0) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(next))
      setTooLong(false)
    } catch {
      setTooLong(true)
    }
  }
  return { draft, keep, restored: stored !== null, tooLong }
}
