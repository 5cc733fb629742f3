/** Where the cost of a call is known from, in words. */
export const costSources = {
  reported: 'the reply',
  invoice: 'an invoice',
  declared: 'what you declared',
} as const

export type CostSource = keyof typeof costSources
