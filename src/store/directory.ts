/** People and their access: users and memberships. */
import type { Membership, User } from './records.js'

export interface Directory {
  /** A `Refusal` (conflict) when the address is taken. */
  createUser (user: { email: string, name: string, kind: User['kind'] }): Promise<User>
  listUsers (): Promise<Array<User & { memberships: number }>>
  /** By id or e-mail address; a `Refusal` when there is none. */
  findUser (user: string): Promise<User>
  /** Adds, or changes the role. `user` by id or e-mail address, `workspace` by id or slug. */
  addMember (member: { user: string, workspace: string, role: Membership['role'] }): Promise<Membership>
  removeMember (member: { user: string, workspace: string }): Promise<Membership>
}
