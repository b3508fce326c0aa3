declare module 'fs-native-extensions' {
  /** Asks for an exclusive lock on the open file; the kernel takes it back when the process ends, however it ends. */
  function tryLock (fd: number): boolean
  const fsx: { tryLock: typeof tryLock }
  export default fsx
}
