/** Whether this browser still shows the first steps. Storage may be switched off: then they are not shown. */
const KEY = 'exploration.first-steps'

/** Whether they were neither done nor hidden. */
export const areFirstStepsShown = (): boolean => {
  try {
    return localStorage.getItem(KEY) === null
  } catch {
    return false
  }
}

/** From now on they are not. */
export const hideFirstSteps = (): void => {
  try {
    localStorage.setItem(KEY, 'hidden')
  } catch {
    // Nothing is shown without a storage.
  }
}
