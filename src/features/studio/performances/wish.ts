// What callers send, as the pipeline needs it.
import { z } from '#core/action.ts'
import type { FileNeed } from '#core/calls/file-need.ts'
import { photosMax, promptCharactersMax } from './limits.ts'
import { type Slot, slotsOf, type Variant, variants } from './manifest.ts'

export interface Performer {
  readonly slot: Slot
  readonly photos: readonly string[]
}

/** A film that a caller wants. Performers without a slot stay as they are. */
export interface Wish {
  readonly variant: Variant
  readonly prompt: string
  readonly performers: readonly Performer[]
}

const common = {
  variant: z
    .enum(variants)
    .default('standard')
    .describe('standard: a film of 7 seconds. extended: a film of 29 seconds.'),
  prompt: z
    .string()
    .max(promptCharactersMax)
    .default('')
    .describe('Creative notes, such as outfits or heights.'),
}
const person = {
  image_file_ids: z
    .array(z.uuid())
    .min(1)
    .max(photosMax)
    .describe('Photos of this one person: ids of files of yours, as files/upload gives them.'),
  consent: z
    .literal(true)
    .describe('true: the person on the photos is an adult and agrees to appear in this film.'),
}

export const performanceInput = z.strictObject({
  ...common,
  performers: z
    .array(
      z.strictObject({
        slot: z.enum(slotsOf.performance).describe('As the viewer sees it.'),
        ...person,
      }),
    )
    .min(1)
    .max(slotsOf.performance.length)
    .refine((all) => new Set(all.map(({ slot }) => slot)).size === all.length, {
      message: 'name each slot once',
    })
    .describe('The performers to replace. The others stay as they are.'),
})

export const leadInput = z.strictObject({ ...common, ...person })

export const wishOfPerformance = ({
  performers,
  ...rest
}: z.output<typeof performanceInput>): Wish => ({
  ...rest,
  performers: slotsOf.performance.flatMap((slot) =>
    performers
      .filter((each) => each.slot === slot)
      .map(({ image_file_ids: photos }) => ({ slot, photos })),
  ),
})

export const wishOfLead = ({
  image_file_ids: photos,
  ...rest
}: z.output<typeof leadInput>): Wish => ({
  ...rest,
  performers: [{ slot: 'lead', photos }],
})

/** Types that the models read. */
const photoTypes = ['image/jpeg', 'image/png', 'image/webp']

const photoNeeds = (fileIds: readonly string[], field: string): FileNeed[] =>
  fileIds.map((fileId, at) => ({ fileId, mediaTypes: photoTypes, field: `${field}[${at}]` }))

export const photosOfPerformance = ({ performers }: z.output<typeof performanceInput>) =>
  performers.flatMap(({ image_file_ids }, at) =>
    photoNeeds(image_file_ids, `performers[${at}].image_file_ids`),
  )

export const photosOfLead = ({ image_file_ids }: z.output<typeof leadInput>) =>
  photoNeeds(image_file_ids, 'image_file_ids')
