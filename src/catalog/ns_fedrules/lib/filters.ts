import { z } from '#core/action.ts'

export const documentTypes = z
  .string()
  .trim()
  .toUpperCase()
  .regex(
    /^(RULE|PRORULE|NOTICE|PRESDOCU)(,(RULE|PRORULE|NOTICE|PRESDOCU))*$/,
    'must be RULE, PRORULE, NOTICE or PRESDOCU, or several comma-separated',
  )

export const agencySlug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9-]{2,120}$/,
    'must be the slug of an agency, as in environmental-protection-agency',
  )

/** What callers say for the values of the filters. */
export const saidAs = {
  type: {
    PRORULE: ['proposed rules?', 'proposals?'],
    RULE: ['(?<!proposed )(?:final )?rules only', 'final rules?'],
    NOTICE: ['notices?'],
    PRESDOCU: ['presidential documents?', 'executive orders?', 'proclamations?'],
  },
} as const
