import { z } from '#core/action.ts'

export const jobId = z.string().trim().min(1).max(128)
export const noJob = 'There is no job with this id, or it was forgotten. Nothing was charged.'
