/** Merges several async generators into one that ends with the first of them. */

type Source<T> = AsyncGenerator<T, void, unknown>

/**
 * Yields the values of all sources as they arrive, until `first` ends. Does not call `return` on the others: end
 * them by a signal.
 */
export async function * mergeUntilFirstEnds<T> (first: Source<T>, ...others: ReadonlyArray<Source<T>>): Source<T> {
  const next = async (from: Source<T>) => ({ from, step: await from.next() })
  const pending = new Map([first, ...others].map((source) => [source, next(source)]))
  while (pending.has(first)) {
    const { from, step } = await Promise.race(pending.values())
    if (step.done) {
      pending.delete(from)
    } else {
      yield step.value
      pending.set(from, next(from))
    }
  }
}
