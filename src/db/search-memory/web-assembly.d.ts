/** What is used of WebAssembly: Node's types leave it to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor (descriptor: { initial: number })
    readonly buffer: ArrayBuffer
    grow (pages: number): number
  }
  class Module {
    constructor (bytes: Uint8Array)
  }
  class Instance {
    constructor (module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>)
    readonly exports: Readonly<Record<string, ((...numbers: number[]) => void) | undefined>>
  }
  function validate (bytes: Uint8Array): boolean
}
