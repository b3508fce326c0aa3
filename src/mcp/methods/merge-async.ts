/** Several sources as one: whatever any of them gives, until the first of them is over. */

type Source<T> = AsyncGenerator<T, void, unknown>

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
