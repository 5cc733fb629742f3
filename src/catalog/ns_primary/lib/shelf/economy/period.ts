import { day } from '../../source-fields.ts'

export const period = {
  from: day.optional().describe('First day.'),
  to: day.optional().describe('Last day.'),
}
