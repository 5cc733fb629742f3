import { z } from '#core/action.ts'

/** Nine digits: registries print EINs as numbers, which lose their leading zeros. */
export const padEin = (ein: string | number) => String(ein).replace(/\D/g, '').padStart(9, '0')

export const profileUrl = (ein: string) =>
  `https://projects.propublica.org/nonprofits/organizations/${Number(ein)}`

export const einField = z
  .union([
    z
      .string()
      .trim()
      .regex(/^\d{2}-?\d{7}$/, 'must be nine digits, as in 14-2007220'),
    z.int().min(1).max(999_999_999),
  ])
  .transform(padEin)
  .describe('Employer Identification Number, with or without the dash.')
