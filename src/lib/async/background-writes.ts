/** Writes that neither delay nor fail a reply, such as the time of last use: one at a time for each key. */

export const createBackgroundWrites = () => {
  const pending = new Map<string, Promise<unknown>>()
  return {
    start (key: string, write: () => Promise<unknown>): void {
      if (pending.has(key)) return
      pending.set(key, write().catch(() => undefined).finally(() => pending.delete(key)))
    },

    async flush (): Promise<void> {
      await Promise.all(pending.values())
    }
  }
}
