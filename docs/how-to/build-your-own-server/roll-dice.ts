import { defineTool, result } from 'exploration-mcp-engine'

export const rollDice = defineTool({
  name: 'roll_dice',
  description: 'Rolls one die and returns the number that it shows.',
  input: {
    type: 'object',
    properties: { sides: { type: 'integer', minimum: 2, maximum: 100, default: 6 } },
    additionalProperties: false
  },
  output: { type: 'object', properties: { rolled: { type: 'integer' } }, required: ['rolled'] }
}, async ({ sides }) => {
  const rolled = 1 + Math.floor(Math.random() * sides)
  return result({ rolled }, `The die shows ${rolled}.`)
})
