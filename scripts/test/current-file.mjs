/**
 * What test files get for `import t from 'tap'`: the test of the file that is running. A worker runs many files in one process, and each
 * has its own results and teardown. A file that runs by itself gets tap's own root.
 */
import { t as root } from 'tap'

/** @type {import('tap').Test | undefined} */
let current

/** @param {import('tap').Test | undefined} test */
export const setCurrentFile = (test) => { current = test }

export default new Proxy(/** @type {import('tap').Test} */ (/** @type {unknown} */ (root)), {
  get (target, name) {
    const test = current ?? target
    const value = Reflect.get(test, name, test)
    return typeof value === 'function' ? value.bind(test) : value
  },
  set: (target, name, value) => Reflect.set(current ?? target, name, value)
})
