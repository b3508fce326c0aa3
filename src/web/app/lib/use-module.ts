/** Code that a page loads beside its own file, so that the page is drawn before it. */
import { useEffect, useState } from 'preact/hooks'

/** Returns the module; undefined until it is there, and without a connection. */
export const useModule = <Module>(load: () => Promise<Module>): Module | undefined => {
  const [loaded, setLoaded] = useState<{ module?: Module }>({})
  useEffect(() => { load().then((module) => setLoaded({ module }), () => {}) }, [])
  return loaded.module
}
