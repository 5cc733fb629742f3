import { z } from 'zod'

export const peopleSettings = {
  PEOPLE_OPT_OUT: z
    .string()
    .optional()
    .describe(
      'File of people whom no action about people ever returns: one on each line, by e-mail address, by LinkedIn profile, or as "name, company". Changes are picked up while the gateway runs.',
    ),
} as const
