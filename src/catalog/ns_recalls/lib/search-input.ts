import { z } from '#core/action.ts'
import { sourceNames } from './sources.ts'

/** Each agency sorts its own list, so a page is taken from the merged newest recalls of all agencies. */
export const reachMax = 1_000
export const searchInput = z
  .strictObject({
    q: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .describe('Product, company or hazard; year, make and model for a vehicle.'),
    sources: z
      .array(z.enum(sourceNames))
      .min(1)
      .max(sourceNames.length)
      .optional()
      .describe('Lists to search; all by default.'),
    date_gte: z.iso.date().optional().describe('Recalled or reported on this day or later.'),
    date_lte: z.iso.date().optional().describe('Recalled or reported on this day or earlier.'),
    limit: z.int().min(1).max(50).default(20).describe('Recalls to return, at most 50.'),
    offset: z.int().min(0).max(reachMax).default(0).describe('Recalls to skip.'),
  })
  .refine(({ limit, offset }) => limit + offset <= reachMax, {
    path: ['offset'],
    message: `must leave offset + limit at or below ${reachMax}. Narrow the dates instead`,
  })

/** What callers say for the lists. */
export const saidAs = {
  sources: {
    'fda-device': ['medical devices?'],
    'fda-food': ['foods?'],
    'fda-drug': ['drugs?', 'medicines?'],
    cpsc: ['consumer products?'],
    nhtsa: ['vehicles?', 'cars?'],
  },
} as const
