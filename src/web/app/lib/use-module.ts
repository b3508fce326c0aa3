/** Code that a page loads beside its own file, so that the page is drawn before it. */
import { useEffect, useState } from 'preact/hooks'

/** Returns the module; undefined until it is there, and without a connection. `ready`: whether to load it yet. */
export const useModule = <Module>(load: () => Promise<Module>, ready = true): Module | undefined => {
  const [loaded, setLoaded] = useState<{ module?: Module }>({})
  useEffect(() => { if (ready) load().then((module) => setLoaded({ module }), () => {}) }, [ready])
  return loaded.module
}
