import { z } from '#core/action.ts'

/** The shape of a film. Source: spec, "Video assembler actions". */
export const filmFormat = z.strictObject({
  aspectRatio: z.enum(['16:9', '9:16', '1:1', '4:5']).default('16:9'),
  fps: z.literal([24, 30, 60]).default(30),
  resolution: z
    .enum(['hd', 'fhd', '4k'])
    .default('fhd')
    .describe('The short side: 720, 1080 or 2160 pixels.'),
})
