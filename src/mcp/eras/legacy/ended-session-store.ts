/** The port that stores the legacy sessions that were ended before they expired. */

export interface EndedSessionStore {
  has (id: string): Promise<boolean>
  /** `expires` in milliseconds since the epoch. */
  add (id: string, expires: number): Promise<void>
}
