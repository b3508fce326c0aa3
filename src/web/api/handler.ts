/** The function that answers an operation of the web API, and what it gets and gives. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Operation, OperationTable, ParamsOf, QueryOf, ResponseOf } from './operation.js'
import type { Access, WebPerson } from '../permissions.js'

/** Facts about a change for its audit event. */
export interface AuditFacts {
  /** Follows the operation's name in the action: ids, never texts of records. */
  target?: string
  workspace_id?: string
  exploration_id?: string
  credential_id?: string
}

/** One request, checked against its schemas, of a person whose permission for the operation is known. */
export interface OperationCall<Of extends Operation> {
  params: ParamsOf<Of>
  query: QueryOf<Of>
  body: BodyOf<Of>
  person: WebPerson
  access: Access
  /** Adds facts to the audit event of this request. */
  note (facts: AuditFacts): void
  /** Records how work ends that goes on after the handler has returned: only for operations that stream their body. */
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
