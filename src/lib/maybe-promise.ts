/** Values that are often there already. A promise for such a value would cost memory and a turn of the microtasks. */

/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>

/**
 * Passes a value on: at once when it is there, otherwise when its promise is fulfilled.
 * @returns what `next` returns; a promise when there was one to wait for
 * @throws what `next` throws, when the value is there already
 */
export const whenReady = <Value, Result>(
  value: MaybePromise<Value>, next: (value: Value) => MaybePromise<Result>
): MaybePromise<Result> => value instanceof Promise ? value.then(next) : next(value)
