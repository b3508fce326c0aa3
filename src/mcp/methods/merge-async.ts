/** Several sources as one: whatever any of them gives, until the first of them is over. */

type Source<T> = AsyncGenerator<T, void, unknown>

export async function * merged<T> (first: Source<T>, ...others: ReadonlyArray<Source<T>>): Source<T> {
  const next = async (from: Source<T>) => ({ from, step: await from.next() })
  const asked = new Map([first, ...others].map((source) => [source, next(source)]))
  while (asked.has(first)) {
    const { from, step } = await Promise.race(asked.values())
    if (step.done) {
      asked.delete(from)
    } else {
      yield step.value
      asked.set(from, next(from))
    }
  }
}
