/** The title of the window. */
import { useEffect } from 'preact/hooks'

const APPLICATION = 'Exploration'

/** `API keys` → `API keys · Exploration`; a title that begins like that stands alone. */
export const setDocumentTitle = (title: string): void => {
  document.title = title.startsWith(APPLICATION) ? title : `${title} · ${APPLICATION}`
}

/** For a page whose title is known only when it was loaded. */
export const useDocumentTitle = (title: string | undefined): void => {
  useEffect(() => { if (title !== undefined) setDocumentTitle(title) }, [title])
}
