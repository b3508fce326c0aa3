/** The function that answers an operation, and what it gets and gives. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Operation, OperationTable, ParamsOf, QueryOf, ResponseOf } from './operation.js'
import type { AuditWithin } from '../planning/changes/ports.js'
import type { OPERATOR, Access, WebPerson } from './permission.js'

/** What a change was about, for its audit event. */
export interface AuditFacts {
  /** Follows the action: ids, never texts of records. */
  target?: string
  user_id?: string
  workspace_id?: string
  exploration_id?: string
  credential_id?: string
}

/** The person of a page; undefined for the operator. */
type PersonOf<Of extends Operation> =
  Of['may'] extends typeof OPERATOR ? undefined
    : Of['may']['operator'] extends 'all' ? WebPerson | undefined : WebPerson
type AuditOf<Of extends Operation> = Of extends { audit: ReadonlyArray<infer Action> } ? Action : never

/** One request, checked against its schemas, of a caller whose permission for the operation is known. */
export interface OperationCall<Of extends Operation> {
  params: ParamsOf<Of>
  query: QueryOf<Of>
  body: BodyOf<Of>
  person: PersonOf<Of>
  /** The person's e-mail address, or the operator as the command line declares it: who did it, for the audit log. */
  actor: string | undefined
  /** The user for whom an operator asks, by id or e-mail address, as it was sent. */
  onBehalfOf: string | undefined
  access: Access
  /** Adds facts to the audit event of the change, which the door records. */
  note (facts: AuditFacts): void
  /** Records what an operator's change did, where it may be one of several actions; nothing for a person's. */
  record (action: AuditOf<Of>, facts: AuditFacts): Promise<void>
  /** Runs the work of a change that writes its own event. */
  auditWithin: AuditWithin
  /**
   * Records how work ends: only for operations that stream their body, whose work continues after the handler has
   * returned, and for those that only read.
   */
  audited<T> (work: () => Promise<T>): Promise<T>
  request: FastifyRequest
  reply: FastifyReply
}

/** The JSON of an answer, where a thread has written it. */
export class JsonText<Answer> {
  /** Says what the JSON holds; there is no such member. */
  declare readonly answer: Answer
  readonly text: string

  constructor (text: string) {
    this.text = text
  }
}

/** Where an operation has no response schema, its handler sends by itself and returns the reply. */
type AnswerOf<Of extends Operation> =
  Of extends { response: object } ? ResponseOf<Of> | JsonText<ResponseOf<Of>> : FastifyReply

export type Handlers<Table extends OperationTable> = {
  [Key in keyof Table]: Table[Key] extends Operation
    ? (call: OperationCall<Table[Key]>) => Promise<AnswerOf<Table[Key]>>
    : never
}

export type HandlersOf<Table extends OperationTable, Key extends keyof Table> = Handlers<Pick<Table, Key>>
