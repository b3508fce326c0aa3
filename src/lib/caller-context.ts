/**
 * Carries the id of the calling credential through asynchronous work (AsyncLocalStorage). Code that shares a scarce
 * resource between callers, such as database connections, reads it here, so that no function in between has to pass it
 * on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const callers = new AsyncLocalStorage<string | undefined>()

/** Runs work, and everything that it starts, for the credential of that id; returns what the work returns. */
export const runForCaller = <T>(credential: string, work: () => T): T => callers.run(credential, work)

/** Runs work that serves several callers at once, such as a batched read, without a current caller. */
export const runForAll = <T>(work: () => T): T => callers.run(undefined, work)

/** The id of the credential that the current work serves; undefined when it serves several callers or none. */
export const currentCaller = (): string | undefined => callers.getStore()
