// What each tool of the bench answers: an exploration of a usual size, on both channels.
const sentence = 'Customers who refund a part of an order see the whole amount in their statement until the nightly run corrects it.'

const data = {
  id: '3f1c9a52-8f0e-4a31-9a51-000000000001',
  workspace_id: '3f1c9a52-8f0e-4a31-9a51-000000000002',
  title: 'Partial refunds in the statement',
  status: 'exploring',
  tags: ['payments', 'statements', 'refunds'],
  summaries: [{ kind: 'problem', text: sentence.repeat(2) }, { kind: 'goal', text: sentence }],
  questions: Array.from({ length: 8 }, (_, n) => ({ id: `q${n}`, question: `${sentence} Why (${n})?`, answer: sentence }))
}

export const record = { data, text: data.questions.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n') }
