import { z } from '#core/action.ts'

export const datePresets = [
  'today',
  'yesterday',
  'last_7d',
  'last_14d',
  'last_30d',
  'last_60d',
  'last_90d',
  'last_6m',
  'last_1y',
  'last_2y',
  'this_week',
  'this_month',
  'this_quarter',
  'this_year',
  'last_week',
  'last_month',
  'last_quarter',
  'last_year',
] as const

export const dates = {
  date_preset: z.enum(datePresets).optional().describe('A time span such as last_30d.'),
  dateFrom: z.iso.date().optional().describe('From this day; instead of date_preset.'),
  dateTo: z.iso.date().optional().describe('Until this day; instead of date_preset.'),
} as const

interface Dates {
  readonly date_preset?: string | undefined
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
}

/** For `refine`, because the vendor would silently ignore the days. */
export const oneTimeSpan = ({ date_preset, dateFrom, dateTo }: Dates) =>
  date_preset === undefined || (dateFrom ?? dateTo) === undefined
export const oneTimeSpanMessage = { message: 'Send either date_preset or dateFrom and dateTo' }
