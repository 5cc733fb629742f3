// What is known about a language model beside its price.
import { z } from 'zod'

/** What a model reads, in the words of the common format: `file` is a PDF. */
const modality = z.enum(['text', 'image', 'file', 'audio', 'video'])
export type Modality = z.output<typeof modality>

export const modelFacts = {
  /** As its vendor writes it: `Claude Opus 4.8`. */
  name: z.string().min(1).max(200).optional(),
  released: z.iso.date().optional(),
  input: z.array(modality).min(1).optional(),
  /** Parameters of a request that it takes, in the words of the common format. */
  parameters: z.array(z.string().regex(/^[a-z_]{1,40}$/)).optional(),
}
