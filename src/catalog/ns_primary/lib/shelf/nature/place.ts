import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

export const point = {
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
}

export const place = {
  ...point,
  radius_km: z
    .number()
    .min(1)
    .max(2_000)
    .default(300)
    .describe('How far from latitude and longitude, in kilometres.'),
}

interface Coordinates {
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

/** Undefined without coordinates. One of the two alone is a mistake. */
export function pointOf({ latitude, longitude }: Coordinates) {
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined || longitude === undefined)
    throw fail('bad_request', { message: 'Send latitude and longitude together.' })
  return { latitude, longitude }
}
