/**
 * Which credential the work under way is done for, wherever the work has got to. Whoever shares out a scarce thing, such as the
 * statements of a database, reads it there, so that no function on the way has to pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const callers = new AsyncLocalStorage<string | undefined>()

/** Runs work, and all that it starts, for a credential, which is named by its id. */
export const runForCaller = <T>(credential: string, work: () => T): T => callers.run(credential, work)

/** Runs work that serves several callers at once, such as a read that was gathered from many calls, for none of them. */
export const runForAll = <T>(work: () => T): T => callers.run(undefined, work)

/** The id of the credential that the current work is done for; undefined when it is done for several callers or for none. */
export const currentCaller = (): string | undefined => callers.getStore()
