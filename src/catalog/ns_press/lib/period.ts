import { z } from '#core/action.ts'

const moment = z
  .string()
  .trim()
  .regex(/^\d{14}$/, 'must be YYYYMMDDhhmmss')
  .optional()

/** Parameters of both actions. */
export const newsQuery = {
  query: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .describe(
      'Words, "exact phrases" and operators: sourcecountry:germany, sourcelang:french, domain:bbc.co.uk.',
    ),
  timespan: z
    .string()
    .trim()
    .toLowerCase()
    .regex(
      /^[1-9]\d{0,3}(min|h|d|w|m|hours|days|weeks|months)?$/,
      'must be a span such as 1d, 2w or 3m',
    )
    .optional()
    .describe('The last so much: 1d, 2w, 3m.'),
  startdatetime: moment.describe('First moment, YYYYMMDDhhmmss, UTC. Goes with enddatetime.'),
  enddatetime: moment.describe('Last moment, YYYYMMDDhhmmss, UTC.'),
}

interface Period {
  readonly timespan?: string | undefined
  readonly startdatetime?: string | undefined
  readonly enddatetime?: string | undefined
}

export const isOnePeriod = ({ timespan, startdatetime, enddatetime }: Period) =>
  (startdatetime === undefined) === (enddatetime === undefined) &&
  (timespan === undefined || startdatetime === undefined)

export const onePeriod = {
  message: 'Send timespan, or startdatetime and enddatetime together, or neither',
}
