import { z } from '#core/action.ts'
import { name } from '../../lib/person-fields.ts'

/** Matches operators only as words between words: `Portland, OR` is a place. */
const operators = /(?:^NOT|\s(?:AND|OR|NOT))\s+\S/
export const plainTerms = z
  .array(
    name.refine(
      (term) => !operators.test(term),
      'AND, OR and NOT work in job_title and skills only: send one term per entry',
    ),
  )
  .min(1)
  .max(50)
  .optional()
