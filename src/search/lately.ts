/** What was lately found out, so that it need not be found out again: the oldest goes when there is too much. */
export class Lately<Value> {
  private readonly entries = new Map<string, Value>()

  constructor (private readonly most: number) {}

  get (key: string): Value | undefined {
    return this.entries.get(key)
  }

  set (key: string, value: Value): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size > this.most) this.entries.delete(this.entries.keys().next().value!)
  }
}
