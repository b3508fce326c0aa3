declare module 'fs-native-extensions' {
  /** Requests an exclusive lock on the open file. The kernel releases it when the process ends. */
  function tryLock (fd: number): boolean
  const fsx: { tryLock: typeof tryLock }
  export default fsx
}
